import { setTimeout as pause } from 'node:timers/promises';
import { aggregates } from './aggregates';
import { but, by, counted, eventsOf, hall, leave, noAnswer, noon, note, open, take } from './aggregates.testing';
import { noHash, verifyChain } from '@charter/integrity';
import { eventId } from '@charter/event-log';
import { Overloaded } from './stream-queue';
import { MemoryLog } from '@charter/event-log';
import { NotAsSeen, Refused, UnknownRevision, Unreadable } from './receipts';

const stream = 'hall-1';
const command = '6f1c2b0e-2b7a-4b7e-8f4e-2f6c5c7a9f12';

/** A hall with seats, and guests who sit in it. */
async function opened(seats = 3, ...guests: string[]) {
  const log = new MemoryLog();
  const halls = aggregates(log, hall);
  await halls.tell(stream, open(seats), by());
  for (const guest of guests) await halls.tell(stream, take(guest), by());
  return { log, halls };
}

describe('telling a stream', () => {
  it('appends what was decided, sealed, and answers with a receipt', async () => {
    const { log, halls } = await opened();
    const receipt = await halls.tell(stream, take('ada'), by({ command }));
    expect(receipt).toEqual({
      revision: 1,
      events: [{ type: 'Taken', data: { guest: 'ada', row: 0 } }],
      position: await log.head(),
    });
    const events = await eventsOf(log, stream);
    expect(events[1]).toMatchObject({ id: eventId(command, 0), metadata: { command, at: noon, schema: 1 } });
    expect(await verifyChain(events)).toMatchObject({ ok: true, events: 2 });
  });

  it('says no with the reason, and writes nothing', async () => {
    const { log, halls } = await opened(1, 'ada');
    const refused = await halls.tell(stream, take('bob'), by()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ refusal: { refused: 'full', facts: { seats: 1, used: 1 } } });
    expect((refused as Refused).index).toBeUndefined();
    expect(await eventsOf(log, stream)).toHaveLength(2);
  });

  it('answers with the present when there is nothing new', async () => {
    const { halls } = await opened(2, 'ada');
    expect(await halls.tell(stream, take('ada'), by())).toEqual({ revision: 1, events: [] });
    expect(await halls.tell(stream, [], by())).toEqual({ revision: 1, events: [] });
  });

  it('takes one append and no read for a stream that it knows', async () => {
    const { log } = await opened();
    const { log: watched, calls } = counted(log);
    const halls = aggregates(watched, hall);
    await halls.tell(stream, take('ada'), by());
    expect(calls).toEqual({ appends: 1, reads: 1 });
    await halls.tell(stream, take('bob'), by());
    expect(calls).toEqual({ appends: 2, reads: 1 });
  });

  it('says no only on the present: somebody else may have made room', async () => {
    const { log, halls } = await opened(1, 'ada');
    await aggregates(log, hall).tell(stream, leave('ada'), by());
    expect(await halls.tell(stream, take('bob'), by())).toMatchObject({ revision: 3 });
  });

  it('says that nothing is new only on the present', async () => {
    const { log, halls } = await opened(1, 'ada');
    await aggregates(log, hall).tell(stream, leave('ada'), by());
    expect(await halls.tell(stream, take('ada'), by())).toMatchObject({ revision: 3, events: [{ type: 'Taken' }] });
  });

  it('never lets time run backwards within a stream, for its rules and for its events', async () => {
    const { log, halls } = await opened();
    const asked: string[] = [];
    const decide: typeof hall.decide = (told, state, envelope) => {
      asked.push(envelope.at);
      return hall.decide(told, state, envelope);
    };
    const watching = aggregates(log, { ...hall, decide });
    await watching.tell(stream, take('ada'), by({ at: '2026-11-21T11:59:59.999Z' }));
    expect(asked).toEqual([noon]);
    expect(await halls.look(stream, ({ state, at }) => [at, state.taken['ada']!.at])).toEqual([noon, noon]);
    expect((await eventsOf(log, stream)).at(-1)!.metadata).toMatchObject({ at: noon });
  });

  it('hands out nothing that is written to later', async () => {
    const { halls } = await opened();
    const notes = [{ text: 'a' }];
    const first = await halls.tell(stream, { type: 'Note', data: { notes } }, by());
    await halls.tell(stream, note('b'), by());
    await halls.tell(stream, take('ada'), by());
    expect(first.events).toEqual([{ type: 'Noted', data: { notes: [{ text: 'a' }] } }]);
    expect(notes).toEqual([{ text: 'a' }]);
  });

  it('remembers what reading it again would say', async () => {
    const { log, halls } = await opened();
    for (const text of ['a', 'b', 'c']) await halls.tell(stream, note(text), by());
    const [remembered, read] = await Promise.all(
      [halls, aggregates(log, hall)].map((either) => either.look(stream, (present) => JSON.stringify(present.state))),
    );
    expect(remembered).toBe(read);
    expect(await verifyChain(await eventsOf(log, stream))).toMatchObject({ ok: true });
  });
});

describe('several commands at once', () => {
  it('are one append, each judged on what the ones before it decided', async () => {
    const { log } = await opened(2, 'ada');
    const { log: watched, calls } = counted(log);
    const receipt = await aggregates(watched, hall).tell(
      stream,
      [leave('ada'), take('bob'), take('cyd')],
      by({ command }),
    );
    expect(receipt.events.map(({ type }) => type)).toEqual(['Left', 'Taken', 'Taken']);
    expect(receipt.revision).toBe(4);
    expect(calls.appends).toBe(1);
    const events = await eventsOf(log, stream);
    expect(events.slice(2).map(({ id }) => id)).toEqual([0, 1, 2].map((index) => eventId(command, index)));
    expect(await verifyChain(events)).toMatchObject({ ok: true, events: 5 });
  });

  it('decide what each of them would have decided alone', async () => {
    const { log, halls } = await opened();
    const receipt = await halls.tell(stream, [note('a'), note('b')], by());
    const alone = await opened();
    const receipts = [await alone.halls.tell(stream, note('a'), by()), await alone.halls.tell(stream, note('b'), by())];
    expect(receipt.events).toEqual(receipts.flatMap(({ events }) => events));
    const states = [halls, aggregates(log, hall), alone.halls].map((each) =>
      each.look(stream, ({ state }) => state.notes),
    );
    expect(new Set((await Promise.all(states)).map((notes) => JSON.stringify(notes))).size).toBe(1);
    const preview = await aggregates(new MemoryLog(), hall).preview(stream, [open(3), note('a'), note('b')], by());
    expect('events' in preview && preview.events.slice(1)).toEqual(receipt.events);
  });

  it('are all refused with the first one, which is named', async () => {
    const { log, halls } = await opened(2, 'ada');
    const refused = halls.tell(stream, [take('bob'), take('cyd'), leave('ada')], by());
    await expect(refused).rejects.toMatchObject({ refusal: { refused: 'full' }, index: 1 });
    expect(await eventsOf(log, stream)).toHaveLength(2);
  });
});

describe('what the caller has seen', () => {
  it.each([1, '*'] as const)('is no hindrance when it is there: %j', async (expected) => {
    const { halls } = await opened(2, 'ada');
    expect(await halls.tell(stream, take('bob'), by({ expected }))).toMatchObject({ revision: 2 });
  });

  it.each([0, 2, -1])('is refused when it is not the present: %j', async (expected) => {
    const { halls } = await opened(2, 'ada');
    const unseen = await halls.tell(stream, take('bob'), by({ expected })).catch((error: unknown) => error);
    expect(unseen).toBeInstanceOf(NotAsSeen);
    expect(unseen).toMatchObject({ actual: 1, refusal: undefined });
  });

  it('is compared with the present, not with what is remembered', async () => {
    const { log, halls } = await opened(3, 'ada');
    await aggregates(log, hall).tell(stream, take('bob'), by());
    await expect(halls.tell(stream, take('cyd'), by({ expected: 1 }))).rejects.toMatchObject({ actual: 2 });
    expect(await halls.tell(stream, take('cyd'), by({ expected: 2 }))).toMatchObject({ revision: 3 });
  });

  it('must exist for a star, and a caller who would be refused anyway is told so', async () => {
    const halls = aggregates(new MemoryLog(), hall);
    const unseen = halls.tell(stream, take('ada'), by({ expected: '*' }));
    await expect(unseen).rejects.toMatchObject({ name: 'NotAsSeen', actual: -1, refusal: { refused: 'no-hall' } });
  });
});

describe('looking', () => {
  it('sees what others have written since', async () => {
    const { log, halls } = await opened();
    await aggregates(log, hall).tell(stream, take('ada'), by());
    expect(halls.peek(stream)?.revision).toBe(0);
    expect(await halls.look(stream, ({ revision }) => revision)).toBe(1);
    expect(halls.peek(stream)?.revision).toBe(1);
  });

  it('finds nothing where nothing has happened', async () => {
    const halls = aggregates(new MemoryLog(), hall);
    expect(halls.peek(stream)).toBeUndefined();
    expect(await halls.look(stream, ({ revision, state }) => [revision, state.seats])).toEqual([-1, 0]);
  });

  it('reads once for all who asked before the reading began', async () => {
    const { log } = await opened();
    const { log: watched, calls } = counted(log);
    const halls = aggregates(watched, hall);
    await Promise.all(Array.from({ length: 50 }, () => halls.look(stream, ({ revision }) => revision)));
    expect(calls.reads).toBe(1);
    await halls.look(stream, ({ revision }) => revision);
    expect(calls.reads).toBe(2);
  });

  it('remembers the streams that were used last', async () => {
    const { log } = await opened();
    const halls = aggregates(log, hall, { streamsKept: 2 });
    for (const name of ['hall-1', 'hall-2', 'hall-3']) await halls.tell(name, open(1), by());
    expect(['hall-1', 'hall-2', 'hall-3'].map((name) => halls.peek(name)?.revision)).toEqual([undefined, 0, 0]);
    expect(await halls.tell('hall-1', take('ada'), by())).toMatchObject({ revision: 1 });
  });
});

describe('a preview', () => {
  it('says what would be, and writes nothing', async () => {
    const { log, halls } = await opened(2, 'ada');
    const preview = await halls.preview(stream, [take('bob'), leave('ada')], by({ at: '2026-11-21T12:00:01.000Z' }));
    expect(preview).toMatchObject({
      revision: 1,
      before: { revision: 1, at: noon, state: { taken: { ada: {} } } },
      after: { revision: 3, at: '2026-11-21T12:00:01.000Z' },
      events: [{ type: 'Taken', data: { guest: 'bob', row: 1 } }, { type: 'Left' }],
    });
    expect(Object.keys('after' in preview ? preview.after.state.taken : {})).toEqual(['bob']);
    expect(await eventsOf(log, stream)).toHaveLength(2);
    expect(await halls.look(stream, ({ state }) => Object.keys(state.taken))).toEqual(['ada']);
  });

  it('says which command would be refused', async () => {
    const { halls } = await opened(1);
    const preview = await halls.preview(stream, [take('ada'), take('bob')], by());
    expect(preview).toMatchObject({ revision: 0, refusal: { refused: 'full' }, index: 1 });
  });

  it('belongs to its caller: later events do not change it', async () => {
    const { halls } = await opened(2, 'ada');
    const preview = await halls.preview(stream, [], by());
    await halls.tell(stream, leave('ada'), by());
    expect(preview).toMatchObject({
      before: { state: { taken: { ada: {} } } },
      after: { revision: 1, at: noon },
      events: [],
    });
  });
});

describe('the past', () => {
  it('is every revision as it was answered then', async () => {
    const { halls } = await opened(5);
    const answered: string[] = [await halls.look(stream, (present) => JSON.stringify(present.state))];
    for (const told of [take('ada'), take('bob'), note('a'), leave('ada'), take('cyd')]) {
      await halls.tell(stream, told, by());
      answered.push(await halls.look(stream, (present) => JSON.stringify(present.state)));
    }
    for (const [revision, text] of answered.entries()) {
      const then = await halls.atRevision(stream, { revision });
      expect(then?.revision).toBe(revision);
      expect(JSON.stringify(then?.state)).toBe(text);
    }
  });

  it('is what was recorded by a moment, the moment included', async () => {
    const { halls } = await opened();
    await halls.tell(stream, take('ada'), by({ at: '2026-11-21T13:00:00.000Z' }));
    const revisionAt = async (moment: string) => (await halls.atRevision(stream, { moment }))?.revision;
    expect(await revisionAt('2026-11-21T11:59:59.999Z')).toBeUndefined();
    expect(await revisionAt(noon)).toBe(0);
    expect(await revisionAt('2026-11-21T12:59:59.999Z')).toBe(0);
    expect(await revisionAt('2026-11-21T13:00:00.000Z')).toBe(1);
    expect(await revisionAt('2030-01-01T00:00:00.000Z')).toBe(1);
  });

  it('ends where the stream ends, and does not begin before it', async () => {
    const { halls } = await opened();
    const unknown = await halls.atRevision(stream, { revision: 1 }).catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(UnknownRevision);
    expect(unknown).toMatchObject({ stream, revision: 1, last: 0 });
    expect(await halls.atRevision(stream, { revision: -1 })).toBeUndefined();
    expect(await halls.atRevision('hall-2', { revision: 0 })).toBeUndefined();
    expect(await halls.atRevision('hall-2', { moment: noon })).toBeUndefined();
  });
});

describe('an event that cannot be folded', () => {
  const poison = async (log: MemoryLog, type: string, at: bigint, metadata?: object) => {
    const data = { notes: [{ text: 'kept' }, null] };
    await log.append(stream, [{ id: crypto.randomUUID(), type, data, ...(metadata && { metadata }) }], {
      expected: at,
    });
  };
  const ours = { command, at: noon, hash: noHash, actor: { kind: 'key', id: 'k-1' } };

  it.each([
    ['of a type that this code does not know', 'Flooded', ours],
    ['without metadata', 'Left', undefined],
    ['with the metadata of somebody else', 'Left', { actor: ours.actor }],
    ['that breaks its fold half-way', 'Noted', ours], // its second note is none
  ])('%s stops its own stream, and no other', async (_, type, metadata) => {
    const { log, halls } = await opened(3, 'ada');
    await poison(log, type, 1n, metadata);
    const refused = await halls.look(stream, () => 0).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Unreadable);
    expect(refused).toMatchObject({ stream, revision: 2 });
    expect(halls.peek(stream)).toBeUndefined();
    await expect(halls.tell(stream, take('bob'), by())).rejects.toThrow(Unreadable);
    await expect(aggregates(log, hall).tell(stream, take('bob'), by())).rejects.toThrow(Unreadable);
    expect(await eventsOf(log, stream)).toHaveLength(3);
    expect(await halls.tell('hall-2', open(1), by())).toMatchObject({ revision: 0 });
    expect(await halls.atRevision(stream, { revision: 1 })).toMatchObject({ revision: 1 });
    await expect(halls.atRevision(stream, { revision: 2 })).rejects.toThrow(Unreadable);
  });

  it('is not reached by a command that finds out by a conflict, either', async () => {
    const { log, halls } = await opened(3, 'ada');
    await poison(log, 'Flooded', 1n, ours);
    await expect(halls.tell(stream, take('bob'), by())).rejects.toMatchObject({ name: 'Unreadable', revision: 2 });
  });

  it('is one that does not follow on the one before it', async () => {
    const { log } = await opened(3, 'ada', 'bob');
    const gapped = but(log, {
      readStream: async function* (...args) {
        for await (const event of log.readStream(...args)) if (event.revision !== 1n) yield event;
      },
    });
    await expect(aggregates(gapped, hall).look(stream, () => 0)).rejects.toMatchObject({
      name: 'Unreadable',
      revision: 2,
    });
  });

  it('can be lifted from an old shape', async () => {
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
    expect(await halls.look(stream, ({ state }) => Object.keys(state.taken))).toEqual([]);
    await halls.tell(stream, take('bob'), by());
    expect((await eventsOf(log, stream)).at(-1)!.metadata).toMatchObject({ schema: 2 });
  });

  it('that was just decided has happened all the same', async () => {
    const log = new MemoryLog();
    const halls = aggregates(log, {
      ...hall,
      evolve: (draft, event, told) => (event.type === 'Taken' ? (undefined as never) : hall.evolve(draft, event, told)),
    });
    await halls.tell(stream, open(3), by());
    expect(await halls.tell(stream, take('ada'), by())).toMatchObject({ revision: 1 });
    expect(halls.peek(stream)).toBeUndefined();
    await expect(halls.tell(stream, take('bob'), by())).rejects.toThrow(Unreadable);
  });
});

describe('a queue that is full', () => {
  it('turns new callers away at once', async () => {
    const { log } = await opened();
    const { promise: held, reject } = Promise.withResolvers<never>();
    const halls = aggregates(but(log, { append: () => held }), hall);
    const waiting = Promise.allSettled(Array.from({ length: 1_001 }, () => halls.tell(stream, take('ada'), by())));
    await expect(halls.tell(stream, take('ada'), by())).rejects.toThrow(Overloaded);
    expect(await halls.tell('hall-2', [], by())).toMatchObject({ revision: -1 });
    reject(noAnswer());
    await waiting;
  });
});

describe('a log that does not answer', () => {
  /** A log that is silent for as long as it may be. */
  const silent = () => {
    const given: number[] = [];
    const after = async (ms: number | undefined) => {
      given.push(ms!);
      await pause(Math.min(ms!, 200));
      throw noAnswer();
    };
    const log = but(new MemoryLog(), {
      append: (_stream, _events, { deadline }) => after(deadline),
      readStream: (_stream, { deadline } = {}) => ({ [Symbol.asyncIterator]: () => ({ next: () => after(deadline) }) }),
    });
    return { given, log };
  };

  it('is given so much time that whoever asked is answered in less than five seconds, lookup included', async () => {
    const { log, given } = silent();
    const halls = aggregates(log, hall);
    await expect(halls.look(stream, () => 0)).rejects.toThrow('no answer');
    await expect(halls.tell(stream, open(1), by())).rejects.toThrow('no answer');
    expect(given.every((ms) => ms <= 4_500)).toBe(true);
  });

  it('is asked to append for so long that it can be asked afterwards whether it did', async () => {
    const { log, given } = silent();
    const halls = aggregates(but(log, { readStream: () => nothing() }), hall);
    await expect(halls.tell(stream, open(1), by())).rejects.toThrow('no answer');
    expect(given).toHaveLength(1);
    expect(given[0]).toBeGreaterThan(3_500);
    expect(given[0]).toBeLessThanOrEqual(4_000);
  });
});

/** What reading a stream gives that nobody has written to. */
async function* nothing(): AsyncGenerator<never> {
  // there is nothing
}
