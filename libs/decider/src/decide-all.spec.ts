import { type CommandContext, type Decider, isRefusal, type Message, refuse } from './decider';
import { decideAll } from './decide-all';
import { fold, type Folded } from './fold';
import { recorded } from './given';

/**
 * An aggregate for this spec: a bag that contains at most three things. The state stores each thing with the context of
 * its event.
 */
type Bag = { things: Record<string, { event: number; at: string; message: string | null }> };
type Command = Message<'Put' | 'Take', { thing: string }>;
type Event = Message<'Added' | 'Taken', { thing: string }>;
const bag: Decider<Bag, Command, Event, 'full' | 'not-there'> = {
  initial: () => ({ things: {} }),
  evolve(draft, { type, data }, { event, at, message }) {
    if (type === 'Added') draft.things[data.thing] = { event, at, message: message ?? null };
    else delete draft.things[data.thing];
    return draft;
  },
  decide({ type, data }, { things }) {
    if (type === 'Take')
      return data.thing in things ? [{ type: 'Taken', data }] : refuse('not-there', 'No such thing.');
    if (data.thing in things) return [];
    const used = Object.keys(things).length;
    return used < 3 ? [{ type: 'Added', data }] : refuse('full', 'It holds three things.', { used });
  },
};
const put = (thing: string): Command => ({ type: 'Put', data: { thing } });
const take = (thing: string): Command => ({ type: 'Take', data: { thing } });
const added = (thing: string): Event => ({ type: 'Added', data: { thing } });
const taken = (thing: string): Event => ({ type: 'Taken', data: { thing } });

const at = '2026-11-01T00:00:00.000Z';
const context: CommandContext = { actor: { kind: 'account', id: 'ada', powers: [] }, at };
const holding = (...things: string[]): Folded<Bag> => fold(bag, recorded(things.map(added), context));

describe('decideAll', () => {
  it('returns the events of all commands in order, and the state that these events produce', () => {
    expect(decideAll(bag, [put('a'), take('a'), put('b')], holding(), context)).toEqual({
      events: [added('a'), taken('a'), added('b')],
      after: { things: { b: { event: 2, at, message: null } } },
    });
  });

  it('decides each command on the state that the earlier commands produce', () => {
    expect(decideAll(bag, [put('d')], holding('a', 'b', 'c'), context)).toMatchObject({ refusal: { refused: 'full' } });
    expect(decideAll(bag, [take('a'), put('d')], holding('a', 'b', 'c'), context)).toMatchObject({
      events: [taken('a'), added('d')],
    });
  });

  it('returns the first refusal with the index of its command, and no events', () => {
    expect(decideAll(bag, [put('a'), put('b'), put('c'), put('d'), take('z')], holding(), context)).toEqual({
      refusal: refuse('full', 'It holds three things.', { used: 3 }),
      index: 3,
    });
  });

  it('continues after a command that changes nothing', () => {
    expect(decideAll(bag, [put('a'), put('b')], holding('a'), context)).toMatchObject({ events: [added('b')] });
    expect(decideAll(bag, [put('a')], holding('a'), context)).toMatchObject({ events: [] });
    expect(decideAll(bag, [], holding('a'), context)).toEqual({ events: [], after: holding('a').state });
  });

  it('leaves the given state unchanged', () => {
    const before = holding('a');
    const { after } = decideAll(bag, [take('a'), put('b')], before, context) as { after: Bag };
    expect(before).toEqual(holding('a'));
    expect(Object.keys(after.things)).toEqual(['b']);
  });

  it('returns the same state as a fold of the decided events', () => {
    const before = holding('a');
    const billing: CommandContext = { actor: { kind: 'billing', id: 'stripe', powers: [] }, at, message: 'evt_1' };
    const decided = decideAll(bag, [put('b'), take('a'), put('c')], before, billing);
    if (!('events' in decided)) throw new Error('It was refused.');
    expect(decided.after).toEqual(fold(bag, recorded(decided.events, billing, before.revision + 1), before).state);
    expect(decided.after.things['b']).toEqual({ event: 1, at, message: 'evt_1' });
  });
});

describe('Refusal', () => {
  it('is an object with a reason, a sentence and facts', () => {
    expect(refuse('full', 'It is full.')).toEqual({ refused: 'full', detail: 'It is full.', facts: {} });
    expect(refuse('full', 'It is full.', { used: 3 }).facts).toEqual({ used: 3 });
  });

  it('can be distinguished from a list of events', () => {
    expect(isRefusal(refuse('full', 'It is full.'))).toBe(true);
    expect(isRefusal([])).toBe(false);
    expect(isRefusal([added('a')])).toBe(false);
  });
});
