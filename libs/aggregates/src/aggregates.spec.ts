import { setTimeout as pause } from 'node:timers/promises';
import { aggregates } from './aggregates';
import {
  logWith,
  envelopeOf,
  countingLog,
  eventsOf,
  hall,
  leave,
  noAnswer,
  noon,
  note,
  open,
  take,
} from './aggregates.testing';
import { ZERO_HASH, verifyChain } from '@charter/integrity';
import { eventId } from '@charter/event-log';
import { Overloaded } from './stream-queue';
import { MemoryLog } from '@charter/event-log';
import { RevisionMismatch, Refused, UnknownRevision, UnreadableStream } from './receipts';

const stream = 'hall-1';
const command = '6f1c2b0e-2b7a-4b7e-8f4e-2f6c5c7a9f12';

/** An open hall with the given guests. */
async function opened(seats = 3, ...guests: string[]) {
  const log = new MemoryLog();
  const halls = aggregates(log, hall);
  await halls.execute(stream, open(seats), envelopeOf());
  for (const guest of guests) await halls.execute(stream, take(guest), envelopeOf());
  return { log, halls };
}

describe('Executing a command', () => {
  it('appends the decided events with their hashes and returns a receipt', async () => {
    const { log, halls } = await opened();
    const receipt = await halls.execute(stream, take('ada'), envelopeOf({ command }));
    expect(receipt).toEqual({
      revision: 1,
      events: [{ type: 'Taken', data: { guest: 'ada', row: 0 } }],
      position: await log.head(),
    });
    const events = await eventsOf(log, stream);
    expect(events[1]).toMatchObject({ id: eventId(command, 0), metadata: { command, at: noon, schema: 1 } });
    expect(await verifyChain(events)).toMatchObject({ ok: true, events: 2 });
  });

  it('throws the refusal if the rules refuse the command, and writes nothing', async () => {
    const { log, halls } = await opened(1, 'ada');
    const refused = await halls.execute(stream, take('bob'), envelopeOf()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ refusal: { refused: 'full', facts: { seats: 1, used: 1 } } });
    expect((refused as Refused).index).toBeUndefined();
    expect(await eventsOf(log, stream)).toHaveLength(2);
  });

  it('returns the current revision when the command changes nothing', async () => {
    const { halls } = await opened(2, 'ada');
    expect(await halls.execute(stream, take('ada'), envelopeOf())).toEqual({ revision: 1, events: [] });
    expect(await halls.execute(stream, [], envelopeOf())).toEqual({ revision: 1, events: [] });
  });

  it('needs one append and no read if the stream is cached', async () => {
    const { log } = await opened();
    const { log: watched, calls } = countingLog(log);
    const halls = aggregates(watched, hall);
    await halls.execute(stream, take('ada'), envelopeOf());
    expect(calls).toEqual({ appends: 1, reads: 1 });
    await halls.execute(stream, take('bob'), envelopeOf());
    expect(calls).toEqual({ appends: 2, reads: 1 });
  });

  it('reads the current state before it refuses, because another process may have freed a seat', async () => {
    const { log, halls } = await opened(1, 'ada');
    await aggregates(log, hall).execute(stream, leave('ada'), envelopeOf());
    expect(await halls.execute(stream, take('bob'), envelopeOf())).toMatchObject({ revision: 3 });
  });

  it('reads the current state before it reports that the command changes nothing', async () => {
    const { log, halls } = await opened(1, 'ada');
    await aggregates(log, hall).execute(stream, leave('ada'), envelopeOf());
    expect(await halls.execute(stream, take('ada'), envelopeOf())).toMatchObject({
      revision: 3,
      events: [{ type: 'Taken' }],
    });
  });

  it("uses the moment of the stream's last event if the caller's moment is earlier", async () => {
    const { log, halls } = await opened();
    const moments: string[] = [];
    const decide: typeof hall.decide = (command, state, envelope) => {
      moments.push(envelope.at);
      return hall.decide(command, state, envelope);
    };
    const watching = aggregates(log, { ...hall, decide });
    await watching.execute(stream, take('ada'), envelopeOf({ at: '2026-11-21T11:59:59.999Z' }));
    expect(moments).toEqual([noon]);
    expect(await halls.query(stream, ({ state, at }) => [at, state.taken['ada']!.at])).toEqual([noon, noon]);
    expect((await eventsOf(log, stream)).at(-1)!.metadata).toMatchObject({ at: noon });
  });

  it('returns events that no later command changes, and does not change the objects of the caller', async () => {
    const { halls } = await opened();
    const notes = [{ text: 'a' }];
    const first = await halls.execute(stream, { type: 'Note', data: { notes } }, envelopeOf());
    await halls.execute(stream, note('b'), envelopeOf());
    await halls.execute(stream, take('ada'), envelopeOf());
    expect(first.events).toEqual([{ type: 'Noted', data: { notes: [{ text: 'a' }] } }]);
    expect(notes).toEqual([{ text: 'a' }]);
  });

  it('caches the same state that a new read of the stream gives', async () => {
    const { log, halls } = await opened();
    for (const text of ['a', 'b', 'c']) await halls.execute(stream, note(text), envelopeOf());
    const [cached, read] = await Promise.all(
      [halls, aggregates(log, hall)].map((either) => either.query(stream, (current) => JSON.stringify(current.state))),
    );
    expect(cached).toBe(read);
    expect(await verifyChain(await eventsOf(log, stream))).toMatchObject({ ok: true });
  });
});

describe('Several commands in one call', () => {
  it('share an append, and each command is decided on the state that the earlier commands produce', async () => {
    const { log } = await opened(2, 'ada');
    const { log: watched, calls } = countingLog(log);
    const receipt = await aggregates(watched, hall).execute(
      stream,
      [leave('ada'), take('bob'), take('cyd')],
      envelopeOf({ command }),
    );
    expect(receipt.events.map(({ type }) => type)).toEqual(['Left', 'Taken', 'Taken']);
    expect(receipt.revision).toBe(4);
    expect(calls.appends).toBe(1);
    const events = await eventsOf(log, stream);
    expect(events.slice(2).map(({ id }) => id)).toEqual([0, 1, 2].map((index) => eventId(command, index)));
    expect(await verifyChain(events)).toMatchObject({ ok: true, events: 5 });
  });

  it('append the same events as separate calls would', async () => {
    const { log, halls } = await opened();
    const receipt = await halls.execute(stream, [note('a'), note('b')], envelopeOf());
    const alone = await opened();
    const receipts = [
      await alone.halls.execute(stream, note('a'), envelopeOf()),
      await alone.halls.execute(stream, note('b'), envelopeOf()),
    ];
    expect(receipt.events).toEqual(receipts.flatMap(({ events }) => events));
    const states = [halls, aggregates(log, hall), alone.halls].map((each) =>
      each.query(stream, ({ state }) => state.notes),
    );
    expect(new Set((await Promise.all(states)).map((notes) => JSON.stringify(notes))).size).toBe(1);
    const preview = await aggregates(new MemoryLog(), hall).preview(
      stream,
      [open(3), note('a'), note('b')],
      envelopeOf(),
    );
    expect(preview.events.slice(1)).toEqual(receipt.events);
  });

  it('are all refused if one is refused, and the error contains the index of the first refused command', async () => {
    const { log, halls } = await opened(2, 'ada');
    const refused = halls.execute(stream, [take('bob'), take('cyd'), leave('ada')], envelopeOf());
    await expect(refused).rejects.toMatchObject({ refusal: { refused: 'full' }, index: 1 });
    expect(await eventsOf(log, stream)).toHaveLength(2);
  });
});

describe('Expected revision', () => {
  it.each([1, '*'] as const)(
    'accepts a command if the stream has this revision; `*` accepts any revision: %j',
    async (expected) => {
      const { halls } = await opened(2, 'ada');
      expect(await halls.execute(stream, take('bob'), envelopeOf({ expected }))).toMatchObject({ revision: 2 });
    },
  );

  it.each([0, 2, -1])(
    'refuses a command if this value differs from the revision of the stream: %j',
    async (expected) => {
      const { halls } = await opened(2, 'ada');
      const unseen = await halls
        .execute(stream, take('bob'), envelopeOf({ expected }))
        .catch((error: unknown) => error);
      expect(unseen).toBeInstanceOf(RevisionMismatch);
      expect(unseen).toMatchObject({ actual: 1, refusal: undefined });
    },
  );

  it("is compared with the stream's revision, not with the revision of the cached state", async () => {
    const { log, halls } = await opened(3, 'ada');
    await aggregates(log, hall).execute(stream, take('bob'), envelopeOf());
    await expect(halls.execute(stream, take('cyd'), envelopeOf({ expected: 1 }))).rejects.toMatchObject({ actual: 2 });
    expect(await halls.execute(stream, take('cyd'), envelopeOf({ expected: 2 }))).toMatchObject({ revision: 3 });
  });

  it('of `*` requires that the stream exists; the error also contains the refusal of the command itself', async () => {
    const halls = aggregates(new MemoryLog(), hall);
    const unseen = halls.execute(stream, take('ada'), envelopeOf({ expected: '*' }));
    await expect(unseen).rejects.toMatchObject({
      name: 'RevisionMismatch',
      actual: -1,
      refusal: { refused: 'no-hall' },
    });
  });
});

describe('Query', () => {
  it('includes events that other processes wrote after this process last read', async () => {
    const { log, halls } = await opened();
    await aggregates(log, hall).execute(stream, take('ada'), envelopeOf());
    expect(halls.cached(stream)?.revision).toBe(0);
    expect(await halls.query(stream, ({ revision }) => revision)).toBe(1);
    expect(halls.cached(stream)?.revision).toBe(1);
  });

  it('returns the initial state if the stream has no events', async () => {
    const halls = aggregates(new MemoryLog(), hall);
    expect(halls.cached(stream)).toBeUndefined();
    expect(await halls.query(stream, ({ revision, state }) => [revision, state.seats])).toEqual([-1, 0]);
  });

  it('shares one read of the log with all queries that arrived before the read began', async () => {
    const { log } = await opened();
    const { log: watched, calls } = countingLog(log);
    const halls = aggregates(watched, hall);
    await Promise.all(Array.from({ length: 50 }, () => halls.query(stream, ({ revision }) => revision)));
    expect(calls.reads).toBe(1);
    await halls.query(stream, ({ revision }) => revision);
    expect(calls.reads).toBe(2);
  });
});

describe('Full cache', () => {
  it('drops the least recently used stream', async () => {
    const { log } = await opened();
    const halls = aggregates(log, hall, { cachedStreamsMax: 2 });
    for (const name of ['hall-1', 'hall-2', 'hall-3']) await halls.execute(name, open(1), envelopeOf());
    expect(['hall-1', 'hall-2', 'hall-3'].map((name) => halls.cached(name)?.revision)).toEqual([undefined, 0, 0]);
    expect(await halls.execute('hall-1', take('ada'), envelopeOf())).toMatchObject({ revision: 1 });
  });

  it('keeps its streams when a caller queries a stream that does not exist', async () => {
    const { log } = await opened();
    const halls = aggregates(log, hall, { cachedStreamsMax: 2 });
    for (const name of ['hall-1', 'hall-2']) await halls.execute(name, open(1), envelopeOf());
    for (const name of ['absent-1', 'absent-2']) expect(await halls.query(name, ({ revision }) => revision)).toBe(-1);
    expect(['hall-1', 'hall-2', 'absent-1'].map((name) => halls.cached(name)?.revision)).toEqual([0, 0, undefined]);
  });
});

describe('`isExecuted`', () => {
  it('is true in each process if the command has appended events, and false if it changed nothing', async () => {
    const { log, halls } = await opened(2, 'ada');
    await halls.execute(stream, take('bob'), envelopeOf({ command }));
    const nothing = envelopeOf();
    await halls.execute(stream, take('bob'), nothing);
    for (const each of [halls, aggregates(log, hall)]) {
      expect(await each.isExecuted(stream, command)).toBe(true);
      expect(await each.isExecuted(stream, nothing.command)).toBe(false);
      expect(await each.isExecuted('hall-2', command)).toBe(false);
    }
  });

  it('is true immediately after another process has executed the command', async () => {
    const { log, halls } = await opened(2, 'ada');
    await aggregates(log, hall).execute(stream, take('bob'), envelopeOf({ command }));
    expect(await halls.isExecuted(stream, command)).toBe(true);
  });
});

describe('Preview', () => {
  it('returns the state after the commands, and writes nothing', async () => {
    const { log, halls } = await opened(2, 'ada');
    const preview = await halls.preview(
      stream,
      [take('bob'), leave('ada')],
      envelopeOf({ at: '2026-11-21T12:00:01.000Z' }),
    );
    expect(preview).toMatchObject({
      revision: 1,
      before: { revision: 1, at: noon, state: { taken: { ada: {} } } },
      after: { revision: 3, at: '2026-11-21T12:00:01.000Z' },
      events: [{ type: 'Taken', data: { guest: 'bob', row: 1 } }, { type: 'Left' }],
    });
    expect(Object.keys(preview.after.state.taken)).toEqual(['bob']);
    expect(await eventsOf(log, stream)).toHaveLength(2);
    expect(await halls.query(stream, ({ state }) => Object.keys(state.taken))).toEqual(['ada']);
  });

  it('returns the refusal of a command that would be refused, and the index of this command', async () => {
    const { halls } = await opened(1);
    const preview = await halls.preview(stream, [take('ada'), take('bob')], envelopeOf());
    expect(preview).toMatchObject({ revision: 0, refused: [{ refusal: { refused: 'full' }, index: 1 }] });
  });

  it('returns a copy that later events do not change', async () => {
    const { halls } = await opened(2, 'ada');
    const preview = await halls.preview(stream, [], envelopeOf());
    await halls.execute(stream, leave('ada'), envelopeOf());
    expect(preview).toMatchObject({
      before: { state: { taken: { ada: {} } } },
      after: { revision: 1, at: noon },
      events: [],
    });
  });
});

describe('Replay', () => {
  it('gives for each revision the state that a query returned when the stream had this revision', async () => {
    const { halls } = await opened(5);
    const answered: string[] = [await halls.query(stream, (current) => JSON.stringify(current.state))];
    for (const command of [take('ada'), take('bob'), note('a'), leave('ada'), take('cyd')]) {
      await halls.execute(stream, command, envelopeOf());
      answered.push(await halls.query(stream, (current) => JSON.stringify(current.state)));
    }
    for (const [revision, text] of answered.entries()) {
      const then = await halls.stateAt(stream, { revision });
      expect(then?.revision).toBe(revision);
      expect(JSON.stringify(then?.state)).toBe(text);
    }
  });

  it('folds all events up to a moment, including events of that moment', async () => {
    const { halls } = await opened();
    await halls.execute(stream, take('ada'), envelopeOf({ at: '2026-11-21T13:00:00.000Z' }));
    const revisionAt = async (moment: string) => (await halls.stateAt(stream, { moment }))?.revision;
    expect(await revisionAt('2026-11-21T11:59:59.999Z')).toBeUndefined();
    expect(await revisionAt(noon)).toBe(0);
    expect(await revisionAt('2026-11-21T12:59:59.999Z')).toBe(0);
    expect(await revisionAt('2026-11-21T13:00:00.000Z')).toBe(1);
    expect(await revisionAt('2030-01-01T00:00:00.000Z')).toBe(1);
  });

  it('throws for a revision after the last event; returns undefined before the first event and for an empty stream', async () => {
    const { halls } = await opened();
    const unknown = await halls.stateAt(stream, { revision: 1 }).catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(UnknownRevision);
    expect(unknown).toMatchObject({ stream, revision: 1, last: 0 });
    expect(await halls.stateAt(stream, { revision: -1 })).toBeUndefined();
    expect(await halls.stateAt('hall-2', { revision: 0 })).toBeUndefined();
    expect(await halls.stateAt('hall-2', { moment: noon })).toBeUndefined();
  });
});

describe('Event that cannot be folded', () => {
  const poison = async (log: MemoryLog, type: string, at: bigint, metadata?: object) => {
    const data = { notes: [{ text: 'kept' }, null] };
    await log.append(stream, [{ id: crypto.randomUUID(), type, data, ...(metadata && { metadata }) }], {
      expected: at,
    });
  };
  const ours = { command, at: noon, hash: ZERO_HASH, actor: { kind: 'key', id: 'k-1' } };

  it.each([
    ['of a type that this code does not know', 'Flooded', ours],
    ['without metadata', 'Left', undefined],
    ['with metadata of another application', 'Left', { actor: ours.actor }],
    ['that breaks its fold half-way', 'Noted', ours], // the second note is not an object, so the fold fails
  ])('makes only its own stream fail: %s', async (_, type, metadata) => {
    const { log, halls } = await opened(3, 'ada');
    await poison(log, type, 1n, metadata);
    const refused = await halls.query(stream, () => 0).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(UnreadableStream);
    expect(refused).toMatchObject({ stream, revision: 2 });
    expect(halls.cached(stream)).toBeUndefined();
    await expect(halls.execute(stream, take('bob'), envelopeOf())).rejects.toThrow(UnreadableStream);
    await expect(aggregates(log, hall).execute(stream, take('bob'), envelopeOf())).rejects.toThrow(UnreadableStream);
    expect(await eventsOf(log, stream)).toHaveLength(3);
    expect(await halls.execute('hall-2', open(1), envelopeOf())).toMatchObject({ revision: 0 });
    expect(await halls.stateAt(stream, { revision: 1 })).toMatchObject({ revision: 1 });
    await expect(halls.stateAt(stream, { revision: 2 })).rejects.toThrow(UnreadableStream);
  });

  it('also makes a command fail if the command reads the event after a conflict', async () => {
    const { log, halls } = await opened(3, 'ada');
    await poison(log, 'Flooded', 1n, ours);
    await expect(halls.execute(stream, take('bob'), envelopeOf())).rejects.toMatchObject({
      name: 'UnreadableStream',
      revision: 2,
    });
  });

  it('is reported with its revision if the event before it is missing', async () => {
    const { log } = await opened(3, 'ada', 'bob');
    const gapped = logWith(log, {
      readStream: async function* (...args) {
        for await (const event of log.readStream(...args)) if (event.revision !== 1n) yield event;
      },
    });
    await expect(aggregates(gapped, hall).query(stream, () => 0)).rejects.toMatchObject({
      name: 'UnreadableStream',
      revision: 2,
    });
  });

  it('can be folded after `upcast` has converted it from its old schema', async () => {
    const { log } = await opened(3, 'ada');
    await poison(log, 'SeatLeft', 1n, ours);
    const halls = aggregates(log, hall, {
      upcast: ({ revision, metadata, ...event }) =>
        ({
          ...event,
          ...(event.type === 'SeatLeft' && { type: 'Left', data: { guest: 'ada' } }),
          revision,
          metadata,
        }) as never,
      schemas: { Taken: 2 },
    });
    expect(await halls.query(stream, ({ state }) => Object.keys(state.taken))).toEqual([]);
    await halls.execute(stream, take('bob'), envelopeOf());
    expect((await eventsOf(log, stream)).at(-1)!.metadata).toMatchObject({ schema: 2 });
  });

  it('does not fail the command that produced it: the log stores the event, and only the next command fails', async () => {
    const log = new MemoryLog();
    const halls = aggregates(log, {
      ...hall,
      evolve: (draft, event, context) =>
        event.type === 'Taken' ? (undefined as never) : hall.evolve(draft, event, context),
    });
    await halls.execute(stream, open(3), envelopeOf());
    expect(await halls.execute(stream, take('ada'), envelopeOf())).toMatchObject({ revision: 1 });
    expect(halls.cached(stream)).toBeUndefined();
    await expect(halls.execute(stream, take('bob'), envelopeOf())).rejects.toThrow(UnreadableStream);
  });
});

describe('Full queue', () => {
  it('of a stream refuses new callers at once, but does not affect another stream', async () => {
    const { log } = await opened();
    const { promise: held, reject } = Promise.withResolvers<never>();
    const halls = aggregates(logWith(log, { append: () => held }), hall);
    const waiting = Promise.allSettled(
      Array.from({ length: 1_001 }, () => halls.execute(stream, take('ada'), envelopeOf())),
    );
    await expect(halls.execute(stream, take('ada'), envelopeOf())).rejects.toThrow(Overloaded);
    expect(await halls.execute('hall-2', [], envelopeOf())).toMatchObject({ revision: -1 });
    reject(noAnswer());
    await waiting;
  });
});

describe('Log that does not answer', () => {
  /** A log that answers no call within its deadline. */
  const silent = () => {
    const given: number[] = [];
    const after = async (ms: number | undefined) => {
      given.push(ms!);
      await pause(Math.min(ms!, 200));
      throw noAnswer();
    };
    const log = logWith(new MemoryLog(), {
      append: (_stream, _events, { deadline }) => after(deadline),
      readStream: (_stream, { deadline } = {}) => ({ [Symbol.asyncIterator]: () => ({ next: () => after(deadline) }) }),
    });
    return { given, log };
  };

  it('gets a time limit of at most 4.5 s with each call, so that the caller has an answer within five seconds', async () => {
    const { log, given } = silent();
    const halls = aggregates(log, hall);
    await expect(halls.query(stream, () => 0)).rejects.toThrow('no answer');
    await expect(halls.execute(stream, open(1), envelopeOf())).rejects.toThrow('no answer');
    expect(given.every((ms) => ms <= 4_500)).toBe(true);
  });

  it('gets a time limit of at most 4 s with an append, so that time remains for the read of the outcome', async () => {
    const { log, given } = silent();
    const halls = aggregates(logWith(log, { readStream: () => nothing() }), hall);
    await expect(halls.execute(stream, open(1), envelopeOf())).rejects.toThrow('no answer');
    expect(given).toHaveLength(1);
    expect(given[0]).toBeGreaterThan(3_500);
    expect(given[0]).toBeLessThanOrEqual(4_000);
  });
});

it('Every read and append of a command has a time limit, so that the caller has an answer within five seconds', async () => {
  const memory = new MemoryLog();
  const given: (number | undefined)[] = [];
  const log = logWith(memory, {
    // like EventStoreDB, which does not say whether an append was repeated
    append: async (name, events, options) => {
      given.push(options.deadline);
      const { revision, position } = await memory.append(name, events, options);
      return { revision, position };
    },
    readStream: (name, options) => {
      given.push(options?.deadline);
      return memory.readStream(name, options);
    },
  });
  const derived = eventId(command, 0);
  const first = await aggregates(log, hall).execute(stream, open(3), envelopeOf({ command: derived }));
  expect(given).toHaveLength(3); // the state, the append, and the hash of the appended event
  expect(await aggregates(log, hall).execute(stream, open(3), envelopeOf({ command: derived }))).toEqual({
    ...first,
    repeated: true,
  });
  expect(given).toHaveLength(5); // the state, and the events of the previous receipt
  expect(given.every((ms) => ms !== undefined && ms <= 4_500)).toBe(true);
});

/** The events of an empty stream. */
async function* nothing(): AsyncGenerator<never> {
  // an empty stream has no event to yield
}
