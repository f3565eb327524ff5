import type { Actor, Evolution, Message, EventContext } from './decider';
import { beginning } from './decider';
import { fold, emptyStream, eventContextOf } from './fold';
import { recorded } from './given';

/** An aggregate for this spec: a jar of coins. The state also contains the context of each event. */
type Jar = { coins: number; contexts: EventContext[] };
type Coin = Message<'CoinAdded' | 'JarEmptied', { worth?: number }>;
const jar: Evolution<Jar, Coin> = {
  initial: () => ({ coins: 0, contexts: [] }),
  evolve(draft, { type, data }, context) {
    draft.contexts.push(context);
    draft.coins = type === 'CoinAdded' ? draft.coins + (data.worth ?? 1) : 0;
    return draft;
  },
};
const coin = (worth: number): Coin => ({ type: 'CoinAdded', data: { worth } });
const contextOf = (kind: Actor['kind'], at: string, message?: string) => ({
  actor: { kind, id: 'ada', powers: [] },
  at,
  message,
});
const monday = '2026-11-02T00:00:00.000Z';
const tuesday = '2026-11-03T00:00:00.000Z';

describe('Fold', () => {
  it('starts with the initial state, revision −1 and the earliest moment', () => {
    expect(fold(jar, [])).toEqual({ state: { coins: 0, contexts: [] }, revision: -1, at: beginning });
    expect(emptyStream(jar)).toEqual(fold(jar, []));
    expect(beginning < '0000-01-01T00:00:00.001Z').toBe(true);
  });

  it('folds events in order, and returns the revision and moment of the last event', () => {
    const events = [
      ...recorded([coin(2), { type: 'JarEmptied', data: {} } as const], contextOf('account', monday)),
      ...recorded([coin(5)], contextOf('account', tuesday), 2),
    ];
    expect(fold(jar, events)).toMatchObject({ state: { coins: 5 }, revision: 2, at: tuesday });
  });

  it('passes the revision and moment of each event to `evolve`', () => {
    const { state } = fold(jar, recorded([coin(1), coin(1)], contextOf('account', monday), 7));
    expect(state.contexts).toEqual([
      { event: 7, at: monday },
      { event: 8, at: monday },
    ]);
  });

  it('continues from a folded state, and returns the revision of the last event', () => {
    const first = fold(jar, recorded([coin(1)], contextOf('account', monday)));
    expect(fold(jar, recorded([coin(2)], contextOf('account', tuesday), 1), first)).toMatchObject({
      state: { coins: 3 },
      revision: 1,
      at: tuesday,
    });
    expect(fold(jar, recorded([coin(2)], contextOf('account', tuesday), 41)).revision).toBe(41);
  });

  it('accepts an iterable that can be read only once', () => {
    function* stream() {
      yield* recorded([coin(1), coin(2)], contextOf('account', monday));
    }
    expect(fold(jar, stream()).state.coins).toBe(3);
  });

  it('begins each fold with a new initial state', () => {
    fold(jar, recorded([coin(1)], contextOf('account', monday)));
    expect(fold(jar, []).state.coins).toBe(0);
  });

  it('throws at an event whose type is newer than the code', () => {
    const old: Evolution<Jar, Coin> = {
      ...jar,
      evolve: (draft, event, context) =>
        // Behaves like a switch without a case for this type.
        (event.type === 'CoinAdded' ? jar.evolve(draft, event, context) : undefined) as Jar,
    };
    const events = recorded([coin(1), { type: 'JarEmptied', data: {} } as const], contextOf('account', monday));
    expect(() => fold(old, events)).toThrow('The event type JarEmptied is newer than this code.');
  });
});

describe('Event context', () => {
  const context = (kind: Actor['kind']) => eventContextOf(recorded([coin(1)], contextOf(kind, monday, 'evt_1'), 3)[0]!);

  it("contains the id of the provider's message if billing caused the event", () => {
    expect(context('billing')).toEqual({ event: 3, at: monday, message: 'evt_1' });
  });

  it.each(['account', 'key', 'system'] as const)('contains no message id if the actor is of kind %s', (kind) => {
    expect(context(kind)).toEqual({ event: 3, at: monday });
  });
});
