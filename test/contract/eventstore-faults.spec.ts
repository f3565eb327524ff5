import { setTimeout as pause } from 'node:timers/promises';
import { type Delivery, type EventLog, isLogError, type SubscribeOptions } from '@charter/event-log';
import { type Facade, runningFacade } from '../facade/running';
import { openedLog } from '../facade/eventstore-target';
import { inTime } from '../support/in-time';
import { retried, subscribedTo, writtenTo } from './event-log/over-facade';
import { all, failureOf, family, noted, several, textOf } from './event-log/under-test';

/** The deadline of a call in this spec. The deadline is short, because many tests wait for a missing answer. */
const DEADLINE_MS = 1_500;

let facade: Facade;
let log: EventLog;
beforeAll(async () => {
  facade = await runningFacade();
  log = await openedLog(`${facade.url}&defaultDeadline=${DEADLINE_MS}`);
}, 60_000);
afterAll(() => log.close());

const written = (count: number) => writtenTo(log, count);
const subscribed = (options: SubscribeOptions) => subscribedTo(log, options);
/** Reads a stream. The default deadline is ten times as long as usual, for reads that must succeed. */
const texts = async (stream: string, deadline = 10 * DEADLINE_MS) =>
  (await all(log.readStream(stream, { deadline }))).map(textOf);

describe('An append whose answer is lost', () => {
  it.each([
    ['it was written, and the answer was lost', 'swallow', {}],
    ['it never arrived', 'lose', {}],
    ['it was written, and the connection broke', 'break', { times: 2 }],
    ['it was lost twice', 'lose', { times: 2 }],
    ['the answer comes after the next try', 'late', { ms: 1_400 }],
  ])('is sent again and written once: %s', async (_, order, how) => {
    const stream = family();
    await log.append(stream, [noted('before')], { expected: 'no_stream' });
    await facade.order('order', order, how);
    const answer = await log.append(stream, several(3), { expected: 0n, deadline: 6_000 });
    expect(answer.revision).toBe(3n);
    expect(await texts(stream)).toEqual(['before', 0, 1, 2]);
    const [last] = await all(log.readStream(stream, { direction: 'backwards', maxCount: 1 }));
    expect(answer.position).toBe(last!.position);
  });

  it('fails without a retry if a retry could write the events twice', async () => {
    const stream = family();
    await facade.order('order', 'swallow');
    const lost = await failureOf(log.append(stream, [noted(0)], { expected: 'any', deadline: 400 }));
    expect(lost).toMatchObject({ kind: 'unavailable' });
    expect(await texts(stream)).toEqual([0]);
  });

  it('fails without a retry when the connection breaks, if a retry could write the events twice', async () => {
    const stream = family();
    await facade.order('order', 'break');
    const lost = await failureOf(log.append(stream, [noted(0)], { expected: 'any' }));
    expect(lost).toMatchObject({ kind: 'unavailable' });
    expect(await texts(stream)).toEqual([0]);
  });

  it('fails at its deadline; if the caller repeats it later, the events are written once', async () => {
    const stream = family();
    const events = several(2);
    await facade.order('order', 'swallow', { times: 2 });
    const lost = await failureOf(log.append(stream, events, { expected: 'no_stream', deadline: 500 }));
    expect(lost).toMatchObject({ kind: 'unavailable' });
    await facade.order('order', 'swallow', { times: 0 }); // cancels the ordered fault
    expect(await log.append(stream, events, { expected: 'no_stream' })).toMatchObject({ revision: 1n });
    expect(await texts(stream)).toEqual([0, 1]);
  });
});

describe('A server that was killed', () => {
  it('has every acknowledged event exactly once when it is back', async () => {
    const streams = Array.from({ length: 8 }, () => family());
    const acknowledged = new Map<string, string[]>();
    const isOver = { now: false };
    const writers = streams.map(async (stream) => {
      let revision: bigint | 'no_stream' = 'no_stream';
      const ids: string[] = [];
      acknowledged.set(stream, ids);
      while (!isOver.now) {
        const event = noted(ids.length);
        ({ revision } = await log.append(stream, [event], { expected: revision, deadline: 15_000 }));
        ids.push(event.id);
      }
    });
    await pause(300);
    await facade.kill();
    await facade.restart();
    await retried(async () => {
      await pause(50);
      for (const ids of acknowledged.values()) expect(ids.length).toBeGreaterThan(2);
    });
    isOver.now = true;
    await Promise.all(writers);
    for (const stream of streams) {
      const stored = (await all(log.readStream(stream))).map(({ id }) => id);
      expect(stored).toEqual(acknowledged.get(stream));
      expect(stored.length).toBeGreaterThan(2);
    }
  }, 30_000);

  it('makes `head`, `identity` and reads of one or all streams fail with `unavailable` in time', async () => {
    await facade.kill();
    for (const call of [
      () => log.head(),
      () => log.identity(),
      () => texts(family(), DEADLINE_MS),
      () => all(log.readAll()),
    ]) {
      expect(await inTime(DEADLINE_MS + 500, failureOf(call()))).toMatchObject({ kind: 'unavailable' });
    }
    await facade.restart();
    await retried(() => log.head());
  }, 30_000);

  it('delivers new events to an earlier subscription when the server is back', async () => {
    const { prefix, stream } = await written(3);
    const subscription = subscribed({ after: 'start', streamPrefixes: [prefix] });
    expect(await subscription.texts(3)).toEqual([0, 1, 2]);
    await facade.restart();
    await log.append(stream, [noted('after')], { expected: 2n, deadline: 10_000 });
    expect(await subscription.texts(1)).toEqual(['after']);
    await subscription.end();
  }, 30_000);
});

describe('A server that is frozen', () => {
  it('makes an append, a read and `head` fail at their deadlines, and then works again without a lost or repeated append', async () => {
    const { prefix, stream } = await written(2);
    const subscription = subscribed({ after: 'start', streamPrefixes: [prefix] });
    expect(await subscription.texts(2)).toEqual([0, 1]);
    const lost = [noted('lost')];
    facade.freeze();
    const answers = await Promise.all([
      inTime(1_000, failureOf(log.append(stream, lost, { expected: 1n, deadline: 500 }))),
      inTime(DEADLINE_MS + 500, failureOf(log.head())),
      inTime(DEADLINE_MS + 500, failureOf(texts(stream, DEADLINE_MS))),
    ]);
    expect(answers.every((answer) => isLogError(answer, 'unavailable'))).toBe(true);
    await pause(1_000);
    facade.thaw();
    await retried(() => log.head());
    // The server has written the append, or writes it later, or has lost it. In each case, the repeated append leads to
    // exactly one write.
    expect(await log.append(stream, lost, { expected: 1n, deadline: 6_000 })).toMatchObject({ revision: 2n });
    await log.append(stream, [noted('found')], { expected: 2n });
    expect(await subscription.texts(2)).toEqual(['lost', 'found']);
    expect(await texts(stream)).toEqual([0, 1, 'lost', 'found']);
    await subscription.end();
  }, 30_000);
});

describe('A server that refuses connections', () => {
  it("gets retries of a call until the call's deadline", async () => {
    const stream = family();
    await facade.order('refuse');
    expect(await failureOf(log.head())).toMatchObject({ kind: 'unavailable' });
    const append = log.append(stream, several(2), { expected: 'no_stream', deadline: 10_000 });
    await pause(700);
    await facade.order('accept');
    expect(await append).toMatchObject({ revision: 1n });
    expect(await texts(stream)).toEqual([0, 1]);
  }, 30_000);
});

describe('A slow server', () => {
  afterEach(() => facade.order('slowDown', 0));

  it('gives the same results as a fast server', async () => {
    await facade.order('slowDown', 60);
    const { prefix, stream } = await written(30);
    const subscription = subscribed({ after: 'start', streamPrefixes: [prefix] });
    expect(await subscription.texts(30)).toEqual(Array.from({ length: 30 }, (_, text) => text));
    expect(await texts(stream)).toHaveLength(30);
    await subscription.end();
  }, 30_000);

  it('may need longer than the deadline to send the events of one read, if data keeps arriving', async () => {
    const { stream } = await written(20);
    await facade.order('order', 'slowRead', { ms: 120 });
    // 2.4 s in total, longer than a call may wait without data
    expect(await texts(stream, DEADLINE_MS)).toHaveLength(20);
  });

  it('causes a read to fail when no data arrives', async () => {
    const { stream } = await written(2);
    await facade.order('order', 'slowRead', { ms: 3_000 });
    expect(await failureOf(texts(stream, DEADLINE_MS))).toMatchObject({ kind: 'unavailable' });
  });
});

describe('A subscription', () => {
  it.each([
    ['the server ends it without an error', 'polite'],
    ['the server ends it with an error', 'error'],
    ['the server forgets it and sends nothing more', 'silence'],
  ])(
    'continues and delivers each event once when %s',
    async (_, how) => {
      const { prefix, stream } = await written(5);
      const subscription = subscribed({ after: 'start', streamPrefixes: [prefix] });
      expect(await subscription.texts(5)).toEqual([0, 1, 2, 3, 4]);
      expect(await facade.order('endSubscriptions', how)).toBeGreaterThan(0);
      await log.append(stream, [noted('a'), noted('b')], { expected: 4n });
      expect(await subscription.texts(2)).toEqual(['a', 'b']);
      await subscription.end();
    },
    30_000,
  );

  it('continues after the last delivered event when the connection is cut in the middle of the history', async () => {
    const { prefix } = await written(900);
    const subscription = subscribed({ after: 'start', streamPrefixes: [prefix] });
    const seen = await subscription.texts(100);
    await facade.order('cut');
    seen.push(...(await subscription.texts(800)));
    expect(seen).toEqual(Array.from({ length: 900 }, (_, text) => text));
    await subscription.end();
  }, 30_000);

  it('delivers an event once, even if the server sends it twice', async () => {
    const { prefix, stream } = await written(2);
    await facade.order('order', 'twice', { times: 1_000 });
    const subscription = subscribed({ after: 'start', streamPrefixes: [prefix] });
    await log.append(stream, [noted('live')], { expected: 1n });
    expect(await subscription.texts(3)).toEqual([0, 1, 'live']);
    await subscription.end();
    await facade.order('order', 'twice', { times: 0 });
  });

  it('reconnects without a pause when the server says that the consumer is too slow', async () => {
    const { prefix, stream } = await written(1);
    const subscription = subscribed({ after: 'start', streamPrefixes: [prefix] });
    await subscription.texts(1);
    await facade.order('order', 'tooSlow', { times: 10 });
    const jitter = jest.spyOn(Math, 'random'); // each pause before a new connection calls Math.random
    for (let text = 0; text < 10; text++) {
      await log.append(stream, [noted(text)], { expected: BigInt(text) });
      expect(await subscription.texts(1)).toEqual([text]);
    }
    expect(jitter).not.toHaveBeenCalled();
    jitter.mockRestore();
    await subscription.end();
  }, 30_000);

  it.each([
    ['at once', { lateCaughtUp: false, lateCheckpoints: false }],
    ['only after an event that matches', { lateCaughtUp: true, lateCheckpoints: true }],
  ])(
    'without matching events delivers `caught-up` and the last position, from a server that reports both %s',
    async (_, how) => {
      await facade.order('set', how);
      const head = await log.head();
      const subscription = subscribed({ after: 'start', streamPrefixes: [family()] });
      const received: Delivery[] = [];
      const has = (wanted: Delivery) => received.some((one) => JSON.stringify(one) === JSON.stringify(wanted));
      while (!has({ kind: 'caught-up' }) || !has({ kind: 'checkpoint', position: head }))
        received.push(await subscription.next());
      expect(received.filter(({ kind }) => kind === 'event')).toEqual([]);
      const { position } = await log.append(family(), [noted('for another subscription')], { expected: 'no_stream' });
      let next = await subscription.next();
      // the subscription may deliver `caught-up` again
      while (next.kind === 'caught-up') next = await subscription.next();
      expect(next).toEqual({ kind: 'checkpoint', position });
      await subscription.end();
      await facade.order('set', { lateCaughtUp: false, lateCheckpoints: false });
    },
  );

  it('reports positions in rising order', async () => {
    const { prefix } = await written(1);
    for (let burst = 0; burst < 3; burst++) await log.append(family(), several(200), { expected: 'no_stream' });
    const subscription = subscribed({ after: 'start', streamPrefixes: [prefix] });
    await subscription.texts(1);
    const places: string[] = [];
    const note = (delivery: Delivery) => {
      if (delivery.kind === 'checkpoint') places.push(delivery.position);
    };
    while (places.length === 0) note(await subscription.next());
    // the subscription resumes after the last event that it delivered, so the server sends some checkpoints a second
    // time
    await facade.order('cut');
    const { position } = await log.append(family(), [noted('last')], { expected: 'no_stream', deadline: 9_000 });
    while (places.at(-1)! < position) note(await subscription.next());
    expect([...places].sort()).toEqual(places);
    expect(new Set(places).size).toBe(places.length);
    await subscription.end();
  }, 30_000);

  it('ends with unknown-checkpoint when another store answers at the same address', async () => {
    const other = await runningFacade();
    const here = await openedLog(`${other.url}&defaultDeadline=${DEADLINE_MS}`);
    // Before the first write, the two stores differ only in their identity.
    const iterator = here.subscribe({ after: 'start', streamPrefixes: [family()] })[Symbol.asyncIterator]();
    await iterator.next();
    const known = await here.identity();
    await other.exchange();
    const rest = async () => {
      for (let step = await iterator.next(); !step.done; step = await iterator.next());
    };
    expect(await failureOf(rest())).toMatchObject({ kind: 'unknown-checkpoint' });
    expect(await here.identity()).not.toBe(known);
    await here.close();
    await other.remove();
  }, 30_000);
});

describe('A connection', () => {
  it('keeps the order of concurrent appends to one stream', async () => {
    const stream = family();
    // a later append on another connection could be written before the first append
    await facade.order('order', 'dawdle', { ms: 200 });
    const answers = Array.from({ length: 100 }, (_, index) =>
      log.append(stream, [noted(index)], { expected: index === 0 ? 'no_stream' : BigInt(index - 1), deadline: 9_000 }),
    );
    expect((await Promise.all(answers)).map(({ revision }) => Number(revision))).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    );
  });

  it('serves more concurrent callers than the maximum number of its open calls', async () => {
    // The façade may still run appends that earlier tests abandoned.
    while ((await facade.order('runningAppends')) !== 0) await pause(20);
    await facade.order('takePeak'); // resets the peak
    await facade.order('order', 'late', { ms: 150, times: 150 });
    const streams = Array.from({ length: 300 }, () => family());
    await Promise.all(
      streams.map((stream) => log.append(stream, several(1), { expected: 'no_stream', deadline: 9_000 })),
    );
    const found = await Promise.all(streams.map((stream) => all(log.readStream(stream, { deadline: 9_000 }))));
    expect(found.every((events) => events.length === 1)).toBe(true);
    const peak = await facade.order('takePeak');
    expect(peak).toBeGreaterThan(30);
    // on a real server, a connection with 100 open calls (including subscriptions) hangs for ever
    expect(peak).toBeLessThanOrEqual(64);
  }, 30_000);

  it('is closed when the log is closed', async () => {
    const other = await runningFacade();
    const here = await openedLog(other.url);
    const iterator = here.subscribe({ after: 'start', streamPrefixes: [] })[Symbol.asyncIterator]();
    await iterator.next();
    expect(await other.order('connections')).toBeGreaterThan(0);
    await here.close();
    await retried(async () => {
      if ((await other.order('connections')) !== 0) throw new Error('There is a connection still.');
    });
    await other.remove();
  }, 30_000);

  it('can be made to a server that the client finds through the members of the cluster', async () => {
    const here = await openedLog(facade.url.replace('esdb://', 'esdb+discover://'));
    expect(await here.identity()).toBe(await log.identity());
    await here.close();
  });
});
