import { setImmediate as aMoment } from 'node:timers/promises';
import { fold, type Recorded } from '@charter/decider';
import fc from 'fast-check';
import { aggregates } from './aggregates';
import { logWith, envelopeOf, eventsOf, hall, type HallEvent, leave, noAnswer, open, take } from './aggregates.testing';
import { verifyChain } from '@charter/integrity';
import { Conflict } from '@charter/event-log';
import { uuidv5 } from '@charter/event-log';
import { MemoryLog } from '@charter/event-log';
import { memoryStore } from '@charter/event-log';
import type { Receipt } from './receipts';
import type { EventLog } from '@charter/event-log';

const stream = 'hall-1';
const keyed = (key: string) => uuidv5('6f1c2b0e-2b7a-4b7e-8f4e-2f6c5c7a9f12', key);

/** Several processes on one store, each with a separate log client and a separate cache. */
async function processes(count: number, seats: number, around = (log: EventLog) => log) {
  const store = memoryStore();
  const log = new MemoryLog(store);
  const instances = Array.from({ length: count }, () => aggregates(around(new MemoryLog(store)), hall));
  await instances[0]!.execute(stream, open(seats), envelopeOf());
  return { log, instances };
}

/** All events of the stream, after a check of their hash chain. */
async function checkedEvents(log: EventLog) {
  const events = await eventsOf(log, stream);
  expect(await verifyChain(events)).toMatchObject({ ok: true });
  return events;
}

const summary = (outcomes: readonly PromiseSettledResult<Receipt<HallEvent>>[]) => ({
  yes: outcomes.filter(({ status }) => status === 'fulfilled').length,
  full: outcomes.filter(
    (one) => one.status === 'rejected' && (one.reason as { refusal?: { refused: string } }).refusal?.refused === 'full',
  ).length,
});

describe('Simultaneous callers', () => {
  it.each([
    [1, 9],
    [2, 9],
    [3, 9],
    [1, 150],
    [2, 150],
    [3, 150],
    [2, 0],
  ])('get all free seats and no more: 200 callers of %i processes, %i free seats', async (count, free) => {
    const { log, instances } = await processes(count, free + 1);
    await instances[0]!.execute(stream, take('first'), envelopeOf());
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        instances[index % count]!.execute(stream, take(`g-${index}`), envelopeOf()),
      ),
    );
    expect(summary(outcomes)).toEqual({ yes: free, full: 200 - free });
    expect(await checkedEvents(log)).toHaveLength(free + 2);
  });

  it('without a free seat get a refusal that names the number of seats and of used seats', async () => {
    const { instances } = await processes(2, 1);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => instances[index % 2]!.execute(stream, take(`g-${index}`), envelopeOf())),
    );
    const facts = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.refusal.facts] : []));
    expect(facts).toEqual(Array.from({ length: 19 }, () => ({ seats: 1, used: 1 })));
  });
});

describe('Repeated command', () => {
  it('is executed once, and the repetition gets the receipt of the first call', async () => {
    const { log, instances } = await processes(1, 3);
    const envelope = envelopeOf({ command: keyed('a') });
    const first = await instances[0]!.execute(stream, [take('ada'), take('bob')], envelope);
    await instances[0]!.execute(stream, leave('ada'), envelopeOf());
    const again = await instances[0]!.execute(stream, [take('ada'), take('bob')], {
      ...envelope,
      at: '2026-11-22T00:00:00.000Z',
    });
    expect(first.repeated).toBeUndefined();
    expect(again).toEqual({ ...first, repeated: true });
    expect(await checkedEvents(log)).toHaveLength(4);
  });

  it.each([1, 2])('is executed once when 100 calls send it in parallel from %i processes', async (count) => {
    const { log, instances } = await processes(count, 3);
    const command = keyed('a');
    const receipts = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        instances[index % count]!.execute(stream, take('ada'), envelopeOf({ command, correlation: `c-${index}` })),
      ),
    );
    expect(
      new Set(receipts.map(({ revision, events, position }) => JSON.stringify([revision, events, position]))).size,
    ).toBe(1);
    expect(receipts.filter(({ repeated }) => !repeated)).toHaveLength(1);
    // The next event must contain the hash of the stored event. The second process sent a copy with another hash. The
    // log did not store this copy.
    await instances[count - 1]!.execute(stream, take('bob'), envelopeOf());
    expect(await checkedEvents(log)).toHaveLength(3);
  });

  it.each([1, 2])(
    'keeps the hash chain of later events valid, whether the log reports the repeated append (variant 1) or not (2): variant %i',
    async (variant) => {
      const withoutRepeated = (log: EventLog) =>
        logWith(log, {
          append: async (...args) => log.append(...args).then(({ revision, position }) => ({ revision, position })),
        });
      const { log, instances } = await processes(2, 9, variant === 1 ? undefined : withoutRepeated);
      for (const one of instances) await one.query(stream, () => 0);
      for (const guest of ['ada', 'bob', 'cyd']) {
        const command = keyed(guest);
        const twice = instances.map((one, index) =>
          one.execute(stream, take(guest), envelopeOf({ command, correlation: `c-${index}` })),
        );
        const receipts = await Promise.all(twice);
        expect(receipts.filter(({ repeated }) => repeated)).toHaveLength(1);
        await instances[receipts.findIndex(({ repeated }) => repeated)]!.execute(
          stream,
          take(`with ${guest}`),
          envelopeOf(),
        );
      }
      await checkedEvents(log);
    },
  );

  it('is not executed again after a restart, and gets the receipt of the first call', async () => {
    const { log, instances } = await processes(1, 3);
    const envelope = envelopeOf({ command: keyed('a') });
    const first = await instances[0]!.execute(stream, take('ada'), envelope);
    await instances[0]!.execute(stream, leave('ada'), envelopeOf());
    expect(await aggregates(log, hall).execute(stream, take('ada'), envelope)).toEqual({ ...first, repeated: true });
    expect(await checkedEvents(log)).toHaveLength(3);
  });

  it('is decided anew if it was refused the first time', async () => {
    const { instances } = await processes(1, 1);
    const envelope = envelopeOf({ command: keyed('a') });
    await instances[0]!.execute(stream, take('ada'), envelopeOf());
    await expect(instances[0]!.execute(stream, take('bob'), envelope)).rejects.toMatchObject({
      refusal: { refused: 'full' },
    });
    await instances[0]!.execute(stream, leave('ada'), envelopeOf());
    expect(await instances[0]!.execute(stream, take('bob'), envelope)).toMatchObject({ revision: 3 });
  });
});

describe('Append whose answer is lost', () => {
  /** Loses the answer to one append, before or after the log has written the events. */
  const losing = (written: boolean) => {
    let isDue = false;
    return {
      lose: () => (isDue = true),
      around: (log: EventLog) =>
        logWith(log, {
          append: async (...args) => {
            if (!isDue) return log.append(...args);
            isDue = false;
            if (written) await log.append(...args);
            throw noAnswer();
          },
        }),
    };
  };

  it('causes no error if the log contains the events: the caller gets a receipt', async () => {
    const { lose, around } = losing(true);
    const { log, instances } = await processes(1, 3, around);
    lose();
    const receipt = await instances[0]!.execute(stream, [take('ada'), take('bob')], envelopeOf());
    expect(receipt).toMatchObject({ revision: 2, events: [{ data: { guest: 'ada' } }, { data: { guest: 'bob' } }] });
    expect(receipt.repeated).toBeUndefined();
    expect(await checkedEvents(log)).toHaveLength(3);
  });

  it('leaves the outcome unknown if the log does not contain the events; the caller can safely repeat the command', async () => {
    const { lose, around } = losing(false);
    const { log, instances } = await processes(1, 3, around);
    const envelope = envelopeOf({ command: keyed('a') });
    lose();
    await expect(instances[0]!.execute(stream, take('ada'), envelope)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await checkedEvents(log)).toHaveLength(1);
    expect(await instances[0]!.execute(stream, take('ada'), envelope)).toMatchObject({ revision: 1 });
    expect(await checkedEvents(log)).toHaveLength(2);
  });

  it('may reach the log during a retry of its command; the retry then writes no second event', async () => {
    let late: (() => Promise<unknown>) | undefined;
    const around = (log: EventLog) =>
      logWith(log, {
        append: async (...args) => {
          const sent = late;
          late = undefined;
          if (sent) await sent().catch(() => undefined); // the append whose answer was lost arrives first
          if ((args[1][0]!.metadata as { correlation: string }).correlation !== 'lost') return log.append(...args);
          late = () => log.append(...args);
          throw noAnswer();
        },
      });
    const { log, instances } = await processes(1, 3, around);
    const command = keyed('a');
    await expect(
      instances[0]!.execute(stream, take('ada'), envelopeOf({ command, correlation: 'lost' })),
    ).rejects.toMatchObject({
      kind: 'unavailable',
    });
    expect(await instances[0]!.execute(stream, take('ada'), envelopeOf({ command }))).toMatchObject({
      revision: 1,
      repeated: true,
    });
    await instances[0]!.execute(stream, take('bob'), envelopeOf());
    expect((await checkedEvents(log)).map(({ metadata }) => (metadata as { correlation: string }).correlation)).toEqual(
      ['c-1', 'lost', 'c-1'],
    );
  });

  it('leaves the outcome unknown if the log does not answer the read that looks up the outcome', async () => {
    let isAway = false;
    const around = (log: EventLog) =>
      logWith(log, {
        append: (...args) => (isAway ? Promise.reject(noAnswer()) : log.append(...args)),
        readStream: (...args) => {
          if (isAway) throw new Error('away');
          return log.readStream(...args);
        },
      });
    const { instances } = await processes(1, 3, around);
    isAway = true;
    await expect(instances[0]!.execute(stream, take('ada'), envelopeOf())).rejects.toMatchObject({
      kind: 'unavailable',
    });
    isAway = false;
    expect(await instances[0]!.execute(stream, take('ada'), envelopeOf())).toMatchObject({ revision: 1 });
  });
});

describe('Conflicts with other writers', () => {
  it('end a command with the error `Conflict` after ten attempts', async () => {
    let appends = 0;
    const store = memoryStore();
    const rival = aggregates(new MemoryLog(store), hall);
    const halls = aggregates(
      logWith(new MemoryLog(store), {
        append: async (name, events, options) => {
          appends += 1;
          await rival.execute(name, take(`rival ${appends}`), envelopeOf());
          return new MemoryLog(store).append(name, events, options);
        },
      }),
      hall,
    );
    await rival.execute(stream, open(1_000), envelopeOf());
    await expect(halls.execute(stream, take('ada'), envelopeOf())).rejects.toThrow(Conflict);
    expect(appends).toBe(10);
  });

  it('give each of 20 callers a receipt, or a refusal because the hall is full', async () => {
    const { log, instances } = await processes(2, 12);
    const rival = async () => {
      for (let round = 0; round < 40; round += 1) {
        await instances[1]!.execute(stream, take(`r-${round % 2}`), envelopeOf());
        await instances[1]!.execute(stream, leave(`r-${round % 2}`), envelopeOf());
      }
    };
    const callers = Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => instances[0]!.execute(stream, take(`g-${index}`), envelopeOf())),
    );
    await Promise.all([rival().catch(() => undefined), callers]);
    const { yes, full } = summary(await callers);
    expect(yes + full).toBe(20);
    expect(yes).toBeLessThanOrEqual(12);
    await checkedEvents(log);
  });

  it.each([
    ['an older copy', []],
    ['an older copy that has grown since', ['dan', 'eve', 'fay']],
  ])('make a command read the stream from its first event if %s has replaced the store', async (_, others) => {
    const older = new MemoryLog();
    const newer = new MemoryLog();
    const elsewhere = aggregates(older, hall);
    for (const command of [open(5), ...others.map(take)]) await elsewhere.execute(stream, command, envelopeOf());
    let current: EventLog = newer;
    const halls = aggregates(
      logWith(newer, {
        append: (...args) => current.append(...args),
        readStream: (...args) => current.readStream(...args),
      }),
      hall,
    );
    for (const command of [open(3), take('ada'), take('bob')]) await halls.execute(stream, command, envelopeOf());
    current = older;
    expect(await halls.execute(stream, take('cyd'), envelopeOf())).toMatchObject({ revision: 1 + others.length });
    expect(await halls.query(stream, ({ state }) => Object.keys(state.taken))).toEqual([...others, 'cyd']);
    await checkedEvents(older);
  });
});

describe('Random schedules', () => {
  it('of commands never fill more seats than exist, keep the hash chain valid, and give the state that one fold of all events gives', async () => {
    const step = fc.record({
      process: fc.integer({ min: 0, max: 2 }),
      guest: fc.integer({ min: 0, max: 7 }).map((n) => `g-${n}`),
      kind: fc.constantFrom('take', 'leave', 'both'),
      pause: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), async (steps, seats) => {
        const { log, instances } = await processes(3, seats);
        const envelope: Promise<unknown>[] = [];
        for (const { process, guest, kind, pause } of steps) {
          const commands =
            kind === 'take' ? [take(guest)] : kind === 'leave' ? [leave(guest)] : [leave(guest), take(guest)];
          envelope.push(
            instances[process]!.execute(stream, commands, envelopeOf()).catch((error: unknown) =>
              expect(error).toMatchObject({ name: 'Refused' }),
            ),
          );
          if (pause) await aMoment();
        }
        await Promise.all(envelope);
        await foldsAlike(log, seats);
      }),
      { numRuns: 60 },
    );
  });

  async function foldsAlike(log: EventLog, seats: number) {
    const events = (await checkedEvents(log)).map(
      (event) => ({ ...event, revision: Number(event.revision) }) as Recorded<HallEvent>,
    );
    let present: ReturnType<typeof fold<ReturnType<typeof hall.initial>, HallEvent>> | undefined;
    for (const event of events) {
      present = fold(hall, [event], present);
      expect(Object.keys(present.state.taken).length).toBeLessThanOrEqual(seats);
    }
    expect(present).toEqual(fold(hall, events));
  }
});
