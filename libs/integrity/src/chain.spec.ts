import { createHash } from 'node:crypto';
import type { Message } from '@charter/decider';
import fc from 'fast-check';
import { canonicalJson } from './canonical';
import { hashOf, ZERO_HASH, type SealedEvent, sealEvents, verifyChain, missingSeenMessage } from './chain';
import type { Envelope } from '@charter/event-log';
import { eventId } from '@charter/event-log';
import type { StoredEvent } from '@charter/event-log';

const envelope: Envelope = {
  command: '6f1c2b0e-2b7a-4b7e-8f4e-2f6c5c7a9f12',
  correlation: 'c-1',
  causation: 'r-1',
  actor: { kind: 'key', id: 'k-1', powers: ['organizations:write'] },
  at: '2026-11-21T08:30:00.000Z',
};
const start = { revision: -1, at: '0000-01-01T00:00:00.000Z', hash: ZERO_HASH };
const seat = (seat: unknown): Message => ({ type: 'SeatTaken', data: { seat } });

/** Sealed events in the form that a log returns: parsed from JSON text. */
const stored = (events: readonly SealedEvent[], stream = 's-1'): StoredEvent[] =>
  events.map(({ id, type, data, metadata, revision }) => ({
    ...(JSON.parse(JSON.stringify({ id, type, data, metadata })) as Pick<StoredEvent, 'id' | 'type'>),
    data: JSON.parse(JSON.stringify(data)),
    stream,
    revision: BigInt(revision),
    position: String(revision),
    created: new Date(0),
  }));
const chain = (...seats: unknown[]) => stored(sealEvents(seats.map(seat), 's-1', start, envelope));

describe('Hash of an event', () => {
  it("is the SHA-256 of the event's canonical text", () => {
    const text =
      '{"data":{"__proto__":1,"seat":"é"},"id":"i-1","metadata":{"at":"now"},"revision":7,"stream":"s-1","type":"SeatTaken"}';
    const { data } = JSON.parse('{"data":{"seat":"é","__proto__":1}}') as { data: object };
    expect(hashOf({ type: 'SeatTaken', stream: 's-1', revision: 7, metadata: { at: 'now' }, id: 'i-1', data })).toBe(
      createHash('sha256').update(text, 'utf8').digest('hex'),
    );
  });
});

describe('Sealing events', () => {
  it('gives every event an id, metadata and the hash of the previous event', () => {
    const [first, second] = sealEvents([seat(1), seat(2)], 's-1', start, envelope);
    const circumstances = {
      command: envelope.command,
      correlation: 'c-1',
      causation: 'r-1',
      at: envelope.at,
      schema: 1,
    };
    expect(first).toMatchObject({
      id: eventId(envelope.command, 0),
      revision: 0,
      type: 'SeatTaken',
      data: { seat: 1 },
    });
    expect(first!.metadata).toEqual({
      ...circumstances,
      actor: { kind: 'key', id: 'k-1' }, // no `powers`, because no reader may see the actor's powers
      previousHash: ZERO_HASH,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(second!.metadata.previousHash).toBe(first!.metadata.hash);
  });

  it('never gives an event an earlier moment than the previous event has', () => {
    const [event] = sealEvents([seat(1)], 's-1', { ...start, at: '2026-11-21T09:00:00.000Z' }, envelope);
    expect(event!.metadata.at).toBe('2026-11-21T09:00:00.000Z');
  });

  it("records the provider's message as the cause, and the newest schema", () => {
    const [event] = sealEvents([seat(1)], 's-1', start, { ...envelope, message: 'evt_1' }, { SeatTaken: 3 });
    expect(event!.metadata).toMatchObject({ causation: 'evt_1', schema: 3 });
  });

  it('shares no object with the events that `decide` returned', () => {
    const data = { seat: { row: 1 } };
    const [event] = sealEvents([{ type: 'SeatTaken', data }], 's-1', start, envelope);
    data.seat.row = 2;
    expect(event!.data).toEqual({ seat: { row: 1 } });
  });

  it.each([NaN, '\ud800', 1n])('refuses data that JSON cannot represent', (value) => {
    expect(() => sealEvents([seat(value)], 's-1', start, envelope)).toThrow(
      expect.objectContaining({ kind: 'invalid' }) as Error,
    );
  });

  it('refuses a command id that is not a UUID', () => {
    expect(() => sealEvents([seat(1)], 's-1', start, { ...envelope, command: 'c-1' })).toThrow(RangeError);
  });
});

describe('Chain verification', () => {
  it('returns the number of events and the last hash', async () => {
    const events = chain(1, 2, 3);
    const { hash: head } = events[2]!.metadata as { hash: string };
    expect(await verifyChain(events)).toEqual({ ok: true, events: 3, head });
    expect(await verifyChain([])).toEqual({ ok: true, events: 0, head: ZERO_HASH });
  });

  it.each<[string, (event: StoredEvent) => object]>([
    ['its type', () => ({ type: 'SeatFreed' })],
    ['its id', () => ({ id: eventId(envelope.command, 9) })],
    ['its data', () => ({ data: { seat: '2' } })],
    ['an additional key in its data', ({ data }) => ({ data: { ...(data as object), more: null } })],
    ['its actor', ({ metadata }) => ({ metadata: { ...(metadata as object), actor: { kind: 'key', id: 'k-2' } } })],
    ['its moment', ({ metadata }) => ({ metadata: { ...(metadata as object), at: '2026-11-21T08:30:00.001Z' } })],
    ['an additional key in its metadata', ({ metadata }) => ({ metadata: { ...(metadata as object), more: 1 } })],
    ['its hash', ({ metadata }) => ({ metadata: { ...(metadata as object), hash: ZERO_HASH } })],
    ['its `previousHash`', ({ metadata }) => ({ metadata: { ...(metadata as object), previousHash: ZERO_HASH } })],
    ['its metadata, which were removed', () => ({ metadata: undefined })],
    ['its stream', () => ({ stream: 's-2' })],
  ])('finds the event with a change of %s', async (_, change) => {
    const events = chain(1, 2, 3);
    events[1] = { ...events[1]!, ...change(events[1]!) };
    expect(await verifyChain(events)).toEqual({ ok: false, at: 1, reason: expect.any(String) as string });
  });

  it('finds events that are missing or repeated', async () => {
    const [first, second, third] = chain(1, 2, 3);
    expect(await verifyChain([first!, third!])).toMatchObject({ ok: false, at: 2, reason: 'revision 1 is missing' });
    expect(await verifyChain([first!, second!, second!])).toMatchObject({ ok: false, at: 1 });
  });

  it('fails after any change of the data in an event', async () => {
    const anyJson = fc.jsonValue().filter((value) => JSON.stringify(value).isWellFormed());
    await fc.assert(
      fc.asyncProperty(anyJson, anyJson, async (one, other) => {
        const events = chain(one);
        expect(await verifyChain(events)).toMatchObject({ ok: true });
        const changed = await verifyChain([{ ...events[0]!, data: { seat: other } }]);
        expect(changed.ok).toBe(canonicalJson(other) === canonicalJson(one));
      }),
      { numRuns: 200 },
    );
  });
});

it('The reason for missing events agrees with their number', () => {
  expect([missingSeenMessage(1), missingSeenMessage(2)]).toEqual([
    'its end is missing: 1 event of this stream was seen before',
    'its end is missing: 2 events of this stream were seen before',
  ]);
});
