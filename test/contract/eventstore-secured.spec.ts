import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventLog, EventStoreLog, eventStoreAddress, StoreRefused } from '@charter/event-log';
import { type Facade, runningFacade } from '../facade/running';
import { certified } from '../support/network/certificate';
import { retried, subscribedTo } from './event-log/over-facade';
import { all, failureOf, family, several, textOf } from './event-log/under-test';

const folder = mkdtempSync(join(tmpdir(), 'charter-tls-'));
const [ours, another] = [certified(folder, 'ours'), certified(folder, 'another')];

let facade: Facade;
beforeAll(async () => {
  facade = await runningFacade({ tls: ours, user: 'charter:pass word' });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * The time in milliseconds for which a start tries to reach a server. A start that is refused at once needs less than a
 * tenth of this time, even on a busy machine.
 */
const START_WITHIN_MS = 200_000;

/** The address of the façade over TLS, with a user and TLS settings. */
const urlFor = (user: string, settings: string) => `esdb://${user}@localhost:${facade.port}?${settings}`;
const trusting = ({ certificate }: { certificate: string }) => `tlsCAFile=${encodeURIComponent(certificate)}`;
const opened = (url: string, warn: (sentence: string) => void = () => undefined): Promise<EventLog> =>
  EventStoreLog.open({ address: eventStoreAddress(url), warn, startWithin: START_WITHIN_MS });

/** The message of the error with which a start is refused, and the duration of the start in milliseconds. */
async function refusal(url: string): Promise<{ sentence: string; ms: number }> {
  const began = performance.now();
  const error = await failureOf(opened(url));
  if (!(error instanceof StoreRefused)) throw error;
  return { sentence: error.message, ms: performance.now() - began };
}

describe('A server with TLS and users', () => {
  it("is accepted if the address names the server's certificate authority and a user that the server knows", async () => {
    const warnings: string[] = [];
    const log = await opened(urlFor('charter:pass%20word', trusting(ours)), (sentence) => warnings.push(sentence));
    expect(warnings).toEqual([]); // no warning: the server's options could be read, also over TLS
    const prefix = family();
    const subscription = subscribedTo(log, { after: 'start', streamPrefixes: [prefix] });
    await log.append(`${prefix}-1`, several(3), { expected: 'no_stream' });
    expect(await subscription.texts(3)).toEqual([0, 1, 2]);
    await facade.restart();
    await retried(() => log.head());
    expect((await all(log.readStream(`${prefix}-1`))).map(textOf)).toEqual([0, 1, 2]);
    await subscription.end();
    await log.close();
  }, 30_000);

  it.each([
    ['the address names no certificate authority', ''],
    ['the address names another certificate authority', trusting(another)],
  ])('is refused at once when %s', async (_, settings) => {
    const { sentence, ms } = await refusal(urlFor('charter:pass%20word', settings));
    expect(sentence).toMatch(/certificate that is not trusted; name its authority with tlsCAFile=FILE/);
    expect(sentence).not.toMatch(/pass/);
    expect(ms).toBeLessThan(START_WITHIN_MS / 10);
  });

  it('is refused at once when it does not know the user, or the password is wrong', async () => {
    for (const user of ['charter:wrong', 'other:pass%20word']) {
      const { sentence, ms } = await refusal(urlFor(user, trusting(ours)));
      expect(sentence).toMatch(/does not accept the user and the password in EVENT_LOG/);
      expect(sentence).not.toMatch(/wrong|pass word/);
      expect(ms).toBeLessThan(START_WITHIN_MS / 10);
    }
  });

  it('makes `head`, `append` and a subscription fail with the kind `denied` if the server no longer accepts the user', async () => {
    const log = await opened(urlFor('charter:pass%20word', trusting(ours)));
    const subscription = subscribedTo(log, { after: 'end', streamPrefixes: [] });
    const next = failureOf(subscription.next().then(() => subscription.next()));
    await facade.order('set', { user: 'charter:changed' });
    expect(await failureOf(log.head())).toMatchObject({ kind: 'denied' });
    expect(await failureOf(log.append(family(), several(1), { expected: 'no_stream' }))).toMatchObject({
      kind: 'denied',
    });
    await facade.order('endSubscriptions', 'polite');
    expect(await next).toMatchObject({ kind: 'denied' });
    await facade.order('set', { user: 'charter:pass word' });
    await log.close();
  });
});
