import { connect } from 'node:net';
import { randomUUID } from 'node:crypto';
import { organizationStream } from '@charter/organization';
import { done, founded, path } from '../support/requests/organizations';
import { type Served, serving, settled, until } from '../support/serving';
import { cutOff, tampered } from '../support/stores/tampering';
import { longPast } from './as-of/long-life';

const EVENTS = 6_000;
const lines = { Accept: 'application/x-ndjson' };
let served: Served;
let key: string;
let id: string;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  id = await founded(served, { by: key });
  await longPast(served.charter, id, EVENTS - 1);
}, 60_000);
afterAll(() => served.close());

const verified = (of = id, sent: object = { headers: lines }, method = 'GET') =>
  served.ask(method, path(of, '/verify'), { key, ...sent });
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('The verification of an organization with progress', () => {
  it('answers with the progress on each line; the last line equals the answer without progress', async () => {
    await settled(served);
    const { status, headers, text } = await verified();
    expect({ status, type: headers['content-type'] }).toEqual({
      status: 200,
      type: expect.stringMatching(/^application\/x-ndjson/) as string,
    });
    const all = linesOf(text);
    const progress = all.slice(0, -1);
    expect(progress.length).toBeGreaterThanOrEqual(EVENTS / 1_000 - 1);
    const done = progress.map((line) => line['done'] as number);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(progress.every(({ total }) => total === EVENTS)).toBe(true);
    const plain = await verified(id, {});
    expect(plain.headers['content-type']).toMatch(/^application\/json/);
    expect(all.at(-1)).toEqual(plain.body);
    expect(plain.body).toMatchObject({ ok: true, events: EVENTS });
  }, 30_000);

  it('sends the first line of progress before the verification has ended', async () => {
    const { hostname, port } = new URL(served.url);
    const socket = connect(Number(port), hostname);
    const address = path(id, '/verify');
    socket.write(
      `GET ${address} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nAccept: application/x-ndjson\r\n\r\n`,
    );
    let text = '';
    socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
    await until(() => text.includes('"total"'), 20_000);
    expect(text).not.toContain('"ok"');
    socket.destroy();
    // the service accepts a verification again
    await until(async () => (await verified(id, {})).status === 200, 20_000);
  }, 60_000);

  it('includes the event that closes an organization', async () => {
    const closed = await founded(served, { by: key, name: 'Corp' });
    expect(linesOf((await verified(closed)).text).at(-1)).toMatchObject({ ok: true, events: 1 });
    await done(served, key, closed, ['POST', '/close', { reason: 'the end' }]);
    await settled(served); // both verifications compare the same document
    const last = linesOf((await verified(closed)).text).at(-1);
    expect(last).toMatchObject({ ok: true, events: 2 });
    expect(last).toEqual((await verified(closed, {})).body);
  });

  it('is refused for an unknown organization and for an API key without `audit:read`, and has no body for HEAD', async () => {
    expect(await verified(randomUUID())).toMatchObject({
      status: 404,
      body: { type: '/problems/no-such-organization' },
    });
    const reader = await served.key({ scopes: ['organizations:read'] });
    expect((await verified(id, { headers: lines, key: reader })).status).toBe(403);
    expect(await verified(id, { headers: lines }, 'HEAD')).toMatchObject({ status: 200, text: '' });
  }, 30_000);

  // The last test, because the store stays altered.
  it('names the broken event in the last line', async () => {
    const broken = await founded(served, { by: key, name: 'Borg' });
    await longPast(served.charter, broken, 1_500);
    tampered(
      `${served.folder}/events.db`,
      "UPDATE events SET data = CAST('{}' AS BLOB) WHERE revision = 1200 AND stream = (SELECT id FROM streams WHERE name = ?)",
      organizationStream(broken),
    );
    const { text } = await verified(broken);
    const all = linesOf(text);
    expect(all.at(-1)).toEqual({ ok: false, at: 1_200, reason: 'its hash does not match its content' });
    expect(all.slice(0, -1).every(({ total }) => total === 1_501)).toBe(true);
    expect(all.length).toBeGreaterThan(1);
    cutOff(`${served.folder}/events.db`, organizationStream(broken), 0);
    expect(linesOf((await verified(broken)).text).at(-1)).toMatchObject({ ok: false, at: 0 });
  }, 60_000);
});
