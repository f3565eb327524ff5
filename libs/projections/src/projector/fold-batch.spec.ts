import { fold, type Folded, type Message } from '@charter/decider';
import { foldBatch } from './fold-batch';
import { type Delivery, positionOf, type StoredEvent } from '@charter/event-log';
import type { View } from '../view';

type Sum = { total: number };
const view: View<Sum, Message<'Added', { by: number }>> = {
  name: 'sums',
  version: 1,
  prefixes: ['sum-'],
  initial: () => ({ total: 0 }),
  evolve: (draft, { data }) => {
    draft.total += data.by;
    if (data.by < 0) throw new Error('Nothing is taken away.');
    return draft;
  },
};
const stored = (number: number, stream: string, revision: number, amount = 1): StoredEvent => ({
  id: `id-${number}`,
  type: 'Added',
  stream,
  revision: BigInt(revision),
  position: positionOf(BigInt(number)),
  data: { by: amount },
  metadata: { at: `2026-11-21T10:00:0${number}.000Z`, actor: { kind: 'system', id: 'spec' } },
  created: new Date(0),
});
const event = (...given: Parameters<typeof stored>): Delivery => ({ kind: 'event', event: stored(...given) });
const checkpointAtPosition = (number: number): Delivery => ({
  kind: 'checkpoint',
  position: positionOf(BigInt(number)),
});
const at = (number: number, last?: number) => ({
  store: 's',
  position: positionOf(BigInt(number)),
  ...(last !== undefined && { lastEvent: { position: positionOf(BigInt(last)), id: `id-${last}` } }),
});
const take = (
  deliveries: Delivery[],
  before: { checkpoint?: ReturnType<typeof at>; known?: Map<string, Folded<Sum>>; parked?: string[] } = {},
) =>
  foldBatch(view, deliveries, {
    identity: 's',
    checkpoint: before.checkpoint,
    known: before.known ?? new Map<string, Folded<Sum>>(),
    parked: new Set(before.parked),
  });

describe('Batch of deliveries', () => {
  it("gives one document for each stream, and moves the checkpoint to the batch's last event", () => {
    const { documents, to, caughtUp } = take([event(1, 'sum-a', 0), event(2, 'sum-b', 0, 5), event(3, 'sum-a', 1, 2)]);
    expect([...documents]).toEqual([
      ['sum-a', { state: { total: 3 }, revision: 1, at: '2026-11-21T10:00:03.000Z' }],
      ['sum-b', { state: { total: 5 }, revision: 0, at: '2026-11-21T10:00:02.000Z' }],
    ]);
    expect(to).toEqual(at(3, 3));
    expect(caughtUp).toBe(false);
  });

  it('moves the checkpoint to a position without an event, but does not change its last event', () => {
    expect(take([event(1, 'sum-a', 0), checkpointAtPosition(7), { kind: 'caught-up' }])).toMatchObject({
      to: at(7, 1),
      caughtUp: true,
    });
    expect(take([checkpointAtPosition(7)]).to).toEqual(at(7));
    expect(take([]).to).toBeUndefined();
  });

  it('never moves the checkpoint back when deliveries are repeated', () => {
    const checkpoint = at(5, 4);
    const known = new Map([['sum-a', fold(view, [], { state: { total: 9 }, revision: 3, at: '' })]]);
    const { to, documents } = take([event(3, 'sum-a', 2), checkpointAtPosition(3), event(4, 'sum-a', 3)], {
      checkpoint,
      known,
    });
    expect(to).toBe(checkpoint);
    expect(documents.size).toBe(0);
  });

  it('moves `lastEvent`, but not the position, to an event between the two', () => {
    const { to, documents } = take([event(6, 'sum-a', 0)], { checkpoint: at(9, 4) });
    expect(to).toEqual(at(9, 6));
    expect([...documents.keys()]).toEqual(['sum-a']);
  });

  it('changes no document of a stream with a poison event, and no document of a parked stream', () => {
    const batch = [
      event(1, 'sum-a', 0),
      event(2, 'sum-a', 1, -1),
      event(3, 'sum-a', 2),
      event(4, 'sum-b', 0),
      event(5, 'sum-c', 8),
    ];
    const { documents, poison, to } = take(batch, { parked: ['sum-c'] });
    expect([...documents.keys()]).toEqual(['sum-b']);
    expect([...poison.keys()]).toEqual(['sum-a']);
    expect(poison.get('sum-a')?.event.revision).toBe(1n);
    expect(to).toEqual(at(5, 5));
  });
});
