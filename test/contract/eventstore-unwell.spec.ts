import { setTimeout as pause } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { type Delivery, type EventLog, isLogError } from '@charter/event-log';
import { type Facade, runningFacade } from '../facade/running';
import { openedLog } from '../facade/eventstore-target';
import { live } from '../projections/history';
import { secrets } from '../support/secrets';
import { inTime } from '../support/in-time';
import { type Served, serving, settled } from '../support/serving';
import { retried, subscribedTo, writtenTo } from './event-log/over-facade';
import { all, failureOf, family, noted, several, textOf } from './event-log/under-test';

/** The deadline of a call in this spec, in milliseconds. */
const DEADLINE_MS = 1_500;

const OUTAGE_MS = 10_000;

let facade: Facade;
let log: EventLog;
beforeAll(async () => {
  facade = await runningFacade();
  log = await openedLog(`${facade.url}&defaultDeadline=${DEADLINE_MS}`);
}, 60_000);
afterAll(() => log.close());

/** Reads a stream. The default deadline is ten times as long as usual, for reads that must succeed. */
const texts = async (stream: string, deadline = 10 * DEADLINE_MS) =>
  (await all(log.readStream(stream, { deadline }))).map(textOf);

/** The gRPC errors that failing servers answer: https://grpc.io/docs/guides/status-codes/ */
const unwell: readonly (readonly [string, number, string])[] = [
  ['that it is not ready', 14, 'Server Is Not Ready'],
  ['that it is too busy', 14, 'Server Is Too Busy'],
  ['that it does not know its leader', 2, 'No leader info available in response'],
  ['that it ran out of something', 8, 'Bandwidth exhausted or memory limit exceeded'],
  ['that the call was reset', 13, 'Received RST_STREAM with code 2 (Internal server error)'],
  ['that it gave up waiting', 10, 'Operation timed out: timeout'],
];

describe('A server that answers', () => {
  it.each(unwell)('%s receives an append again, and the events are written once', async (_, code, message) => {
    const stream = family();
    await facade.order('order', 'refuse', { code, message });
    // the server writes the second append, and still answers with a refusal
    await facade.order('order', 'break', { as: { code, message } });
    expect(await log.append(stream, several(2), { expected: 'no_stream', deadline: 4_000 })).toMatchObject({
      revision: 1n,
    });
    expect(await texts(stream)).toEqual([0, 1]);
  });

  it.each(unwell)(
    '%s receives a read again until the deadline; then the read fails with `unavailable`',
    async (_, code, message) => {
      const { stream } = await writtenTo(log, 2);
      await facade.order('order', 'refuseRead', { code, message, times: 3 });
      expect(await texts(stream)).toEqual([0, 1]);
      await facade.order('order', 'refuseRead', { code, message, times: 1_000 });
      const failure = await inTime(DEADLINE_MS * 1.5, failureOf(texts(stream, DEADLINE_MS)));
      expect(failure).toMatchObject({ kind: 'unavailable' });
      await facade.order('order', 'refuseRead', { code, message });
      expect(await texts(stream)).toEqual([0, 1]);
    },
  );

  it.each(unwell)('%s does not end a subscription, which connects again', async (_, code, message) => {
    const { prefix } = await writtenTo(log, 2);
    await facade.order('order', 'refuseRead', { code, message, times: 3 });
    const subscription = subscribedTo(log, { after: 'start', streamPrefixes: [prefix] });
    expect(await subscription.texts(2)).toEqual([0, 1]);
    await subscription.end();
  });
});

describe('A connection that is cut between a commit and its answer', () => {
  it('loses no append and writes none twice, ten times in a row', async () => {
    const stream = family();
    for (let time = 0; time < 10; time += 1) {
      await facade.order('order', 'cut');
      const expected = time === 0 ? 'no_stream' : BigInt(time * 2 - 1);
      const answer = await log.append(stream, several(2), { expected, deadline: 4_000 });
      expect(answer.revision).toBe(BigInt(time * 2 + 1));
    }
    expect(await texts(stream)).toHaveLength(20);
  }, 60_000);
});

describe('An append that waits for an earlier append to the same stream', () => {
  it('is not sent after its deadline, and its error says that it was not written', async () => {
    const stream = family();
    await facade.order('order', 'late', { ms: 1_000 });
    const [first, second] = await Promise.all([
      log.append(stream, [noted('first')], { expected: 'no_stream', deadline: 3_000 }),
      failureOf(log.append(stream, [noted('second')], { expected: 'any', deadline: 300 })),
    ]);
    expect(first.revision).toBe(0n);
    expect(second).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/for the append before it/) as string,
    });
    await pause(300);
    expect(await texts(stream)).toEqual(['first']);
  });
});

describe('A server that gets many calls and does not answer', () => {
  it('makes the client refuse more than 1,000 of 3,000 calls, because too many calls are waiting', async () => {
    facade.freeze();
    const stream = family();
    const errors = await Promise.all(
      Array.from({ length: 3_000 }, (_, index) =>
        failureOf(log.append(`${stream}-${index}`, several(1), { expected: 'no_stream' })),
      ),
    );
    facade.thaw();
    expect(errors.every((error) => isLogError(error, 'unavailable'))).toBe(true);
    expect(errors.filter((error) => / calls are waiting/.test(String(error))).length).toBeGreaterThan(1_000);
    await retried(() => log.head());
  }, 30_000);
});

describe('A server that is frozen while many callers wait', () => {
  it('makes no caller wait beyond the deadline of its call, even at the end of the queue', async () => {
    const ms = 2_000;
    const asking = () => inTime(ms * 1.6, failureOf(all(log.readStream(family(), { deadline: ms }))));
    facade.freeze();
    const first = Array.from({ length: 70 }, asking);
    // the log sends these calls only after the first calls have failed, when little time is left until their deadline
    await pause(ms / 10);
    const failures = await Promise.all([...first, ...Array.from({ length: 60 }, asking)]);
    facade.thaw();
    expect(failures.filter((failure) => isLogError(failure, 'unavailable'))).toHaveLength(130);
  });
});

describe('Read model after an outage of ten seconds', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serving({ environment: { ...secrets, EVENT_LOG: facade.url, EVENT_LOG_ALLOW_INSECURE: 'true' } });
  }, 60_000);
  afterAll(() => served.close());

  it.each<[string, () => unknown, () => unknown]>([
    ['the server is killed and starts again', () => facade.kill(), () => facade.restart()],
    ['the server is frozen', () => facade.freeze(), () => facade.thaw()],
    ['the server refuses connections', () => facade.order('refuse'), () => facade.order('accept')],
  ])(
    'shows a new organization within about a second after the recovered server has stored it: %s',
    async (_, away, back) => {
      await settled(served);
      await away();
      await pause(OUTAGE_MS);
      await back();
      const other = await openedLog(facade.url, 'beside'); // this client has had no failures yet
      const writing = performance.now();
      await live(other, 0, 1);
      const answered = performance.now();
      await served.runtime.projection.whenProcessed(await other.head(), { timeout: 20_000 });
      // The required bound is one second. The duration of the write shows how slow the machine is now.
      expect(performance.now() - answered).toBeLessThan(1_000 + 10 * (answered - writing));
      await other.close();
    },
    40_000,
  );
});

describe('A subscription without new events', () => {
  it('stays open, whether or not there are earlier events', async () => {
    const { prefix } = await writtenTo(log, 3);
    const both = [prefix, family()].map((of) => subscribedTo(log, { after: 'start', streamPrefixes: [of] }));
    const received: Delivery[] = [];
    const listen = async ({ next }: ReturnType<typeof subscribedTo>) => {
      for (;;) received.push(await next());
    };
    const listening = both.map((one) => failureOf(listen(one)));
    const begun = () => facade.order('subscriptionsBegun') as Promise<number>;
    await pause(DEADLINE_MS / 2);
    const before = await begun();
    await pause(DEADLINE_MS * 2);
    expect(await begun()).toBe(before);
    expect(received.filter(({ kind }) => kind === 'event')).toHaveLength(3);
    expect(received.filter(({ kind }) => kind === 'caught-up').length).toBeGreaterThanOrEqual(2);
    for (const { end } of both) await end();
    await Promise.all(listening);
  }, 30_000);
});

describe('Damage by other tools to a stream', () => {
  let outside: EventStoreDBClient;
  beforeAll(() => void (outside = EventStoreDBClient.connectionString(facade.url)));
  afterAll(() => outside.dispose());

  it('such as a tombstone makes reads and appends fail without a retry', async () => {
    const { stream } = await writtenTo(log, 3);
    await outside.tombstoneStream(stream);
    expect(await failureOf(texts(stream))).toMatchObject({ kind: 'deleted' });
    for (const expected of ['any', 'no_stream', 'stream_exists', 2n] as const)
      expect(await failureOf(log.append(stream, several(1), { expected }))).toMatchObject({ kind: 'deleted' });
  });

  it('such as a deletion makes reads find no stream; the next append continues after the last revision', async () => {
    const { stream } = await writtenTo(log, 3);
    await outside.deleteStream(stream);
    expect(await failureOf(texts(stream))).toMatchObject({ kind: 'not-found' });
    const { revision } = await log.append(stream, [noted('back')], { expected: 'no_stream' });
    expect(revision).toBe(3n);
    expect(await texts(stream)).toEqual(['back']);
  });

  it('such as a deletion makes a repeated append of the deleted events fail, instead of reporting these events as written', async () => {
    const stream = family();
    const events = several(2);
    await log.append(stream, events, { expected: 'no_stream' });
    await outside.deleteStream(stream);
    expect(await failureOf(log.append(stream, events, { expected: 'no_stream' }))).toMatchObject({ kind: 'deleted' });
  });

  it('such as an event that is not JSON makes the read fail with an error that names the event', async () => {
    const { stream } = await writtenTo(log, 3);
    await facade.order('garble', stream, '1');
    const failure = await failureOf(texts(stream));
    expect(failure).toMatchObject({ kind: 'internal', message: `Event 1 of ${stream} is not JSON.` });
  });

  it("such as an event that is not JSON does not stop a subscription; only a read of the event's data throws an error that names the event", async () => {
    const { prefix, stream } = await writtenTo(log, 3);
    await facade.order('garble', stream, '1');
    const subscription = subscribedTo(log, { after: 'start', streamPrefixes: [prefix] });
    await subscription.nextEvent();
    const garbled = await subscription.nextEvent();
    const next = await subscription.nextEvent();
    expect([garbled.revision, next.revision]).toEqual([1n, 2n]);
    expect(() => garbled.data).toThrow(`Event 1 of ${stream} is not JSON.`);
    expect(() => garbled.metadata).toThrow(`Event 1 of ${stream} is not JSON.`);
    expect(textOf(next)).toBe(2);
    await subscription.end();
  });
});
