import { setTimeout as pause } from 'node:timers/promises';
import {
  type ProjectionCheckpoint,
  type Delivery,
  type EventLog,
  positionOf,
  type StoredEvent,
  type SubscribeOptions,
} from '@charter/event-log';
import { failureOf, family, noted, several, textOf, type UnderTest, where } from './under-test';

export function subscribing(given: UnderTest): void {
  describe('10: A subscription', () => {
    it('delivers the history in order, then caught-up, then new events', async () => {
      const { prefix, stream } = await written(given, 3);
      await subscribed(given.log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
        expect((await eventsUntilCaughtUp(next)).map(textOf)).toEqual([0, 1, 2]);
        await given.append(stream, 2n, [noted('live')]);
        await given.append(stream, 3n, [noted('later')]);
        expect([textOf(await nextEvent(next)), textOf(await nextEvent(next))]).toEqual(['live', 'later']);
      });
    });

    it('delivers only new events when it begins at the end', async () => {
      const { prefix, stream } = await written(given, 3);
      await subscribed(given.log, { after: 'end', streamPrefixes: [prefix] }, async (next) => {
        expect(await eventsUntilCaughtUp(next)).toEqual([]);
        await given.append(stream, 2n, [noted('new')]);
        expect(textOf(await nextEvent(next))).toBe('new');
      });
    });

    it('waits for the first event of an empty stream', async () => {
      const prefix = family();
      await subscribed(given.log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
        expect(await eventsUntilCaughtUp(next)).toEqual([]);
        const event = nextEvent(next);
        await given.append(given.stream(prefix), 'no_stream', [noted('first')]);
        expect(textOf(await event)).toBe('first');
      });
    });

    it.each([0, 1, 4])(
      'resumes after the last processed event, which is event %p of the events 0 to 4',
      async (handled) => {
        const { prefix, events } = await written(given, 5);
        const after = await checkpointAt(given.log, events[handled]!);
        await subscribed(given.log, { after, streamPrefixes: [prefix] }, async (next) => {
          expect((await eventsUntilCaughtUp(next)).map(textOf)).toEqual([0, 1, 2, 3, 4].slice(handled + 1));
        });
      },
    );

    it('begins at the start of the log if the checkpoint contains a position, but no last processed event', async () => {
      const { prefix } = await written(given, 3);
      const after = { store: await given.log.identity(), position: await given.log.head() };
      await subscribed(given.log, { after, streamPrefixes: [prefix] }, async (next) => {
        expect((await eventsUntilCaughtUp(next)).map(textOf)).toEqual([0, 1, 2]);
      });
    });

    it('resumes where the previous subscription stopped, and delivers each event once', async () => {
      const { prefix, stream } = await written(given, 40);
      const seen: unknown[] = [];
      let after: SubscribeOptions['after'] = 'start';
      for (let round = 0; round < 4; round++) {
        await subscribed(given.log, { after, streamPrefixes: [prefix] }, async (next) => {
          for (let taken = 0; taken < 10; taken++) {
            const event = await nextEvent(next);
            seen.push(textOf(event));
            after = await checkpointAt(given.log, event);
          }
        });
        await given.append(stream, 'any', [noted(`after round ${round}`)]);
      }
      expect(seen).toEqual(Array.from({ length: 40 }, (_, text) => text));
    });

    it('delivers checkpoints and caught-up to a slow consumer only after every event before them', async () => {
      const { prefix, events } = await written(given, 60);
      await given.append(given.stream(), 'no_stream', several(900)); // events that do not match the filter
      const last = await given.append(given.stream(prefix), 'no_stream', [noted('last')]);
      await given.append(given.stream(), 'no_stream', several(900));
      const expected = [...events.map(({ position }) => position), last.position];
      const seen: string[] = [];
      let checkpoint = '';

      await subscribed(given.log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
        for (let delivery = await next(); delivery.kind !== 'caught-up'; delivery = await next()) {
          if (delivery.kind === 'event') {
            seen.push(delivery.event.position);
            if (seen.length % 10 === 0) await pause(20);
          } else {
            expect(seen).toEqual(expected.filter((position) => position <= delivery.position));
            expect(delivery.position >= checkpoint).toBe(true);
            checkpoint = delivery.position;
          }
        }
      });
      expect(seen).toEqual(expected);
    });

    it('waits while its consumer pauses, and then delivers all events', async () => {
      const { prefix, stream } = await written(given, 1200);
      await subscribed(given.log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
        const seen: unknown[] = [];
        for (let taken = 0; taken < 5; taken++) seen.push(textOf(await nextEvent(next)));
        await pause(300);
        await given.append(stream, 1199n, [noted(1200)]);
        while (seen.length < 1201) seen.push(textOf(await nextEvent(next)));
        expect(seen).toEqual(Array.from({ length: 1201 }, (_, text) => text));
      });
    }, 60_000);

    it('delivers every event of many writers once, in the order of the log', async () => {
      const prefix = family();
      await subscribed(given.log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
        const writers = Array.from({ length: 20 }, async () => {
          const stream = given.stream(prefix);
          for (let index = 0; index < 10; index++) await given.append(stream, 'any', [noted(index)]);
        });
        const seen: string[] = [];
        while (seen.length < 200) seen.push((await nextEvent(next)).position);
        await Promise.all(writers);
        expect([...seen].sort()).toEqual(seen);
        expect(new Set(seen).size).toBe(200);
      });
    }, 60_000);

    it('accepts several next() calls at once', async () => {
      const { prefix } = await written(given, 3);
      await subscribed(given.log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
        const atOnce = await Promise.all([next(), next(), next()]);
        const events = atOnce.flatMap((delivery) => (delivery.kind === 'event' ? [delivery.event] : []));
        while (events.length < 3) events.push(await nextEvent(next));
        expect(events.map(textOf)).toEqual([0, 1, 2]);
      });
    });

    it('ends when return() is called while it waits, and delivers nothing afterwards', async () => {
      const { prefix, stream } = await written(given, 1);
      const iterator = given.log.subscribe({ after: 'end', streamPrefixes: [prefix] })[Symbol.asyncIterator]();
      expect(await iterator.next()).toEqual({ done: false, value: { kind: 'caught-up' } });
      const end = async () => {
        for (;;) {
          const step = await iterator.next();
          // other users of a shared server append events, so a checkpoint can arrive before return() is called
          if (step.done || step.value.kind !== 'checkpoint') return step;
        }
      };
      const waiting = end();
      await pause(200); // gives the subscription time to wait for events
      await iterator.return?.();
      expect(await Promise.race([waiting, pause(500, 'it still waits')])).toMatchObject({ done: true });
      await given.append(stream, 0n, [noted('unseen')]);
      expect((await iterator.next()).done).toBe(true);
    });

    it('never delivers system events, whose type begins with $', async () => {
      const prefix = family();
      await given.append(given.stream(prefix), 'no_stream', [noted(0), { ...noted(1), type: '$secret' }, noted(2)]);
      await subscribed(given.log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
        expect((await eventsUntilCaughtUp(next)).map(textOf)).toEqual([0, 2]);
      });
    });

    where(given.can.beside)('delivers events that another process appends to the same store', async () => {
      const log = await given.open();
      const other = await given.can.beside!(log);
      const prefix = family();
      await subscribed(log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
        await eventsUntilCaughtUp(next);
        const event = nextEvent(next);
        await other.append(given.stream(prefix), [noted('from beside')], { expected: 'no_stream' });
        expect(textOf(await event)).toBe('from beside');
      });
      await other.close();
      await log.close();
    });

    where(given.can.cut)(
      'continues by itself after its connection was cut, and delivers each new event at least once',
      async () => {
        const { prefix, stream } = await written(given, 5);
        await subscribed(given.log, { after: 'start', streamPrefixes: [prefix] }, async (next) => {
          expect((await eventsUntilCaughtUp(next)).map(textOf)).toEqual([0, 1, 2, 3, 4]);
          await given.can.cut!(given.log);
          await given.append(stream, 4n, several(3));
          const seen = new Set<bigint>();
          while (seen.size < 3) {
            const { revision } = await nextEvent(next);
            if (revision > 4n) seen.add(revision);
          }
          expect([...seen]).toEqual([5n, 6n, 7n]);
        });
      },
      60_000,
    );
  });

  describe('11: A checkpoint', () => {
    const refused = async (change: (checkpoint: ProjectionCheckpoint) => ProjectionCheckpoint) => {
      const { prefix, events } = await written(given, 2);
      const after = change(await checkpointAt(given.log, events[0]!));
      const iterator = given.log.subscribe({ after, streamPrefixes: [prefix] })[Symbol.asyncIterator]();
      expect(await failureOf(iterator.next())).toMatchObject({ kind: 'unknown-checkpoint' });
      expect((await iterator.next()).done).toBe(true); // the subscription throws the error only once
    };
    const farAway = positionOf(2n ** 62n);

    it('with the identity of another store is refused', () =>
      refused((checkpoint) => ({ ...checkpoint, store: '7c9f1f2e-2f5e-4a53-9d4c-0f2e6b1d8a10' })));

    it('at a position beyond the end is refused', () =>
      refused((checkpoint) => ({ ...checkpoint, position: farAway })));

    it('with a last event beyond the end is refused', () =>
      refused((checkpoint) => ({ ...checkpoint, lastEvent: { ...checkpoint.lastEvent!, position: farAway } })));

    it('is refused if the log has another event at the position of its last event', () =>
      refused((checkpoint) => ({
        ...checkpoint,
        lastEvent: { ...checkpoint.lastEvent!, id: '7c9f1f2e-2f5e-4a53-9d4c-0f2e6b1d8a10' },
      })));
  });
}

/** Appends this number of events to a new stream whose name has a unique prefix. */
async function written(given: UnderTest, count: number) {
  const prefix = family();
  const stream = given.stream(prefix);
  await given.append(stream, 'no_stream', several(count));
  const events: StoredEvent[] = [];
  for await (const event of given.log.readStream(stream)) events.push(event);
  return { prefix, stream, events };
}

async function checkpointAt(log: EventLog, { position, id }: StoredEvent): Promise<ProjectionCheckpoint> {
  return { store: await log.identity(), position, lastEvent: { position, id } };
}

type Next = () => Promise<Delivery>;

/** Subscribes, runs the test, and ends the subscription. */
async function subscribed(log: EventLog, options: SubscribeOptions, test: (next: Next) => Promise<void>) {
  const iterator = log.subscribe(options)[Symbol.asyncIterator]();
  try {
    await test(async () => {
      const { value, done } = await iterator.next();
      if (done) throw new Error('The subscription has ended.');
      return value;
    });
  } finally {
    await iterator.return?.();
  }
}

async function nextEvent(next: Next): Promise<StoredEvent> {
  for (;;) {
    const delivery = await next();
    if (delivery.kind === 'event') return delivery.event;
  }
}

async function eventsUntilCaughtUp(next: Next): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const delivery = await next();
    if (delivery.kind === 'caught-up') return events;
    if (delivery.kind === 'event') events.push(delivery.event);
  }
}
