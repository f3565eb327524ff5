import { type CommandContext, type Decider, isRefusal, type Message, refuse } from './decider';
import { decideAll } from './decide-all';
import { fold, type Folded } from './fold';
import { recorded } from './given';

/** A bag that holds three things at most, each with a note of who put it there, and when. */
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
const by: CommandContext = { actor: { kind: 'account', id: 'ada', powers: [] }, at };
const holding = (...things: string[]): Folded<Bag> => fold(bag, recorded(things.map(added), by));

describe('deciding several commands in a row', () => {
  it('gives all of their events, in order, and the state after them', () => {
    expect(decideAll(bag, [put('a'), take('a'), put('b')], holding(), by)).toEqual({
      events: [added('a'), taken('a'), added('b')],
      after: { things: { b: { event: 2, at, message: null } } },
    });
  });

  it('judges each on what the ones before it decided', () => {
    expect(decideAll(bag, [put('d')], holding('a', 'b', 'c'), by)).toMatchObject({ refusal: { refused: 'full' } });
    expect(decideAll(bag, [take('a'), put('d')], holding('a', 'b', 'c'), by)).toMatchObject({
      events: [taken('a'), added('d')],
    });
  });

  it('answers with the first refusal and the index of its command, and with no event at all', () => {
    expect(decideAll(bag, [put('a'), put('b'), put('c'), put('d'), take('z')], holding(), by)).toEqual({
      refusal: refuse('full', 'It holds three things.', { used: 3 }),
      index: 3,
    });
  });

  it('goes on behind what is nothing new', () => {
    expect(decideAll(bag, [put('a'), put('b')], holding('a'), by)).toMatchObject({ events: [added('b')] });
    expect(decideAll(bag, [put('a')], holding('a'), by)).toMatchObject({ events: [] });
    expect(decideAll(bag, [], holding('a'), by)).toEqual({ events: [], after: holding('a').state });
  });

  it('does not touch the state that it was given', () => {
    const before = holding('a');
    const { after } = decideAll(bag, [take('a'), put('b')], before, by) as { after: Bag };
    expect(before).toEqual(holding('a'));
    expect(Object.keys(after.things)).toEqual(['b']);
  });

  it('leads to the state that the log would be folded to', () => {
    const before = holding('a');
    const billing: CommandContext = { actor: { kind: 'billing', id: 'stripe', powers: [] }, at, message: 'evt_1' };
    const told = decideAll(bag, [put('b'), take('a'), put('c')], before, billing);
    if (!('events' in told)) throw new Error('It was refused.');
    expect(told.after).toEqual(fold(bag, recorded(told.events, billing, before.revision + 1), before).state);
    expect(told.after.things['b']).toEqual({ event: 1, at, message: 'evt_1' });
  });
});

describe('saying no', () => {
  it('is a value with a reason, a sentence and facts', () => {
    expect(refuse('full', 'It is full.')).toEqual({ refused: 'full', detail: 'It is full.', facts: {} });
    expect(refuse('full', 'It is full.', { used: 3 }).facts).toEqual({ used: 3 });
  });

  it('is told from events', () => {
    expect(isRefusal(refuse('full', 'It is full.'))).toBe(true);
    expect(isRefusal([])).toBe(false);
    expect(isRefusal([added('a')])).toBe(false);
  });
});
