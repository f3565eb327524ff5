import type { Actor, Evolution, Message, EventContext } from './decider';
import { beginning } from './decider';
import { fold, emptyStream, eventContextOf } from './fold';
import { recorded } from './given';

/** A jar of coins that notes what it was told about each. */
type Jar = { coins: number; told: EventContext[] };
type Coin = Message<'CoinAdded' | 'JarEmptied', { worth?: number }>;
const jar: Evolution<Jar, Coin> = {
  initial: () => ({ coins: 0, told: [] }),
  evolve(draft, { type, data }, telling) {
    draft.told.push(telling);
    draft.coins = type === 'CoinAdded' ? draft.coins + (data.worth ?? 1) : 0;
    return draft;
  },
};
const coin = (worth: number): Coin => ({ type: 'CoinAdded', data: { worth } });
const asked = (kind: Actor['kind'], at: string, message?: string) => ({
  actor: { kind, id: 'ada', powers: [] },
  at,
  message,
});
const monday = '2026-11-02T00:00:00.000Z';
const tuesday = '2026-11-03T00:00:00.000Z';

describe('folding a stream', () => {
  it('begins before everything', () => {
    expect(fold(jar, [])).toEqual({ state: { coins: 0, told: [] }, revision: -1, at: beginning });
    expect(emptyStream(jar)).toEqual(fold(jar, []));
    expect(beginning < '0000-01-01T00:00:00.001Z').toBe(true);
  });

  it('goes through the events in order, up to the revision and the moment of the last', () => {
    const events = [
      ...recorded([coin(2), { type: 'JarEmptied', data: {} } as const], asked('account', monday)),
      ...recorded([coin(5)], asked('account', tuesday), 2),
    ];
    expect(fold(jar, events)).toMatchObject({ state: { coins: 5 }, revision: 2, at: tuesday });
  });

  it('tells each event its place and its moment', () => {
    const { state } = fold(jar, recorded([coin(1), coin(1)], asked('account', monday), 7));
    expect(state.told).toEqual([
      { event: 7, at: monday },
      { event: 8, at: monday },
    ]);
  });

  it('goes on where it stopped, and takes the revision from the event', () => {
    const first = fold(jar, recorded([coin(1)], asked('account', monday)));
    expect(fold(jar, recorded([coin(2)], asked('account', tuesday), 1), first)).toMatchObject({
      state: { coins: 3 },
      revision: 1,
      at: tuesday,
    });
    expect(fold(jar, recorded([coin(2)], asked('account', tuesday), 41)).revision).toBe(41);
  });

  it('takes anything that can be gone through once', () => {
    function* stream() {
      yield* recorded([coin(1), coin(2)], asked('account', monday));
    }
    expect(fold(jar, stream()).state.coins).toBe(3);
  });

  it('begins anew each time, and writes to nothing but its own draft', () => {
    fold(jar, recorded([coin(1)], asked('account', monday)));
    expect(fold(jar, []).state.coins).toBe(0);
  });

  it('stops on an event that is newer than the code', () => {
    const old: Evolution<Jar, Coin> = {
      ...jar,
      evolve: (draft, event, telling) =>
        (event.type === 'CoinAdded' ? jar.evolve(draft, event, telling) : undefined) as Jar, // as a switch without that case
    };
    const events = recorded([coin(1), { type: 'JarEmptied', data: {} } as const], asked('account', monday));
    expect(() => fold(old, events)).toThrow('The event type JarEmptied is newer than this code.');
  });
});

describe('what an event is told about itself', () => {
  const told = (kind: Actor['kind']) => eventContextOf(recorded([coin(1)], asked(kind, monday, 'evt_1'), 3)[0]!);

  it("names the provider's message when billing caused it", () => {
    expect(told('billing')).toEqual({ event: 3, at: monday, message: 'evt_1' });
  });

  it.each(['account', 'key', 'system'] as const)('names no message when the cause is that of a %s', (kind) => {
    expect(told(kind)).toEqual({ event: 3, at: monday });
  });
});
