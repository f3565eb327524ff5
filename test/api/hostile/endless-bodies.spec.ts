import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { selling } from '../../billing/sending';
import { type EndlessBody, endlessBody } from '../../support/requests/endless-body';
import { founded, path } from '../../support/requests/organizations';
import { expectUnharmed } from '../../support/requests/refusals';
import { type Served, until } from '../../support/serving';

const MIB = 1024 * 1024;

let served: Served;
let key: string;
let id: string;
beforeAll(async () => {
  served = await selling();
  key = await served.key();
  id = await founded(served, { by: key });
});
afterAll(() => served.close());

let body: EndlessBody;
afterEach(async () => {
  body.leave();
  await body.closed;
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** The bytes in buffers of this process that are still in use. */
const buffered = () => {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
};

/** Milliseconds between two garbage collections. A collection takes a large part of a second. */
const COLLECTION_EVERY_MS = 250;

const headers = () => ({ Authorization: `Bearer ${key}`, 'Stripe-Signature': 't=1,v1=00' });

describe('S2: Chunked body without an end', () => {
  it.each([
    ['on the fast path', () => `POST ${path(id, '/members')}`],
    ['on a route of Nest', () => 'POST /api/v1/organizations'],
    ['on a route that takes no body', () => 'GET /api/v1/organizations'],
    ['on a path without a route', () => 'POST /nothing'],
    ['on a page', () => 'GET /login'],
    ['on the webhook, whose limit is 1 MiB', () => 'POST /webhooks/stripe'],
  ])(
    '%s gets a single answer, 413 with `Connection: close`; the process then closes the connection, and does not store the rest of the body',
    async (_, line) => {
      const before = buffered();
      const state = { isClosed: false };
      body = endlessBody(served.url, line(), headers());
      void body.closed.then(() => (state.isClosed = true));
      await until(() => body.status() !== undefined, 20_000);
      expect(body.status()).toBe(413);
      const atAnswer = body.sentBytes();
      await until(() => state.isClosed || body.sentBytes() > atAnswer + 16 * MIB, 20_000);
      // A collection frees no bytes that the connection still holds.
      await until(() => buffered() - before < 6 * MIB, 20_000, COLLECTION_EVERY_MS);
      await body.closed;
      expect(body.received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
      expect(body.received()).toMatch(/\r\nConnection: close\r\n[^]*"type":"\/problems\/too-large"/i);
      await expectUnharmed(served, key);
    },
    60_000,
  );

  it('at a sign-in without an XSRF token gets 403 while the client still sends; the process does not store the rest of the body', async () => {
    const before = buffered();
    body = endlessBody(served.url, 'POST /login', headers());
    await until(() => body.status() !== undefined, 20_000);
    expect(body.status()).toBe(403);
    const atAnswer = body.sentBytes();
    await until(() => body.sentBytes() > atAnswer + 16 * MIB, 20_000);
    await expectUnharmed(served, key);
    await until(() => buffered() - before < 6 * MIB, 20_000, COLLECTION_EVERY_MS);
  }, 60_000);
});
