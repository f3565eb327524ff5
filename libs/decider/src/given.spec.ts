import { type CommandContext, type Decider, type Message, refuse } from './decider';
import { givenFor, recorded } from './given';

/** An aggregate for this spec: a door that only its owner can open, and only once. */
type Door = { open: boolean; at: string | null };
type Command = Message<'Open'>;
type Event = Message<'Opened' | 'Closed' | 'Burnt'>;
const door: Decider<Door, Command, Event, 'not-yours'> = {
  initial: () => ({ open: false, at: null }),
  evolve(draft, { type }, { at }) {
    if (type === 'Burnt') throw new Error('There is no door any more.');
    draft.open = type === 'Opened';
    draft.at = at;
    return draft;
  },
  decide(_, { open }, { actor }) {
    if (actor.id === 'arsonist') return [{ type: 'Burnt', data: {} }];
    if (actor.id !== 'ada') return refuse('not-yours', 'It is not your door.');
    return open ? [] : [{ type: 'Opened', data: {} }];
  },
};
const now = '2026-11-01T00:00:00.000Z';
const usual: CommandContext = { actor: { kind: 'account', id: 'ada', powers: [] }, at: now };
const given = givenFor(door, usual);
const open: Command = { type: 'Open', data: {} };
const opened: Event = { type: 'Opened', data: {} };

describe('givenFor', () => {
  it('folds the given events, and decides the command on the resulting state', () => {
    expect(given().when(open)).toEqual([opened]);
    expect(given(opened).when(open)).toEqual([]);
    expect(given(opened, { type: 'Closed', data: {} }).when(open)).toEqual([opened]);
  });

  it('returns the state after the given events, which all have the default moment', () => {
    expect(given().state()).toEqual({ open: false, at: null });
    expect(given(opened).state()).toEqual({ open: true, at: now });
  });

  it('decides with the actor and the moment that a spec passes', () => {
    expect(given().when(open, { actor: { kind: 'key', id: 'k-1', powers: [] } })).toMatchObject({
      refused: 'not-yours',
    });
    expect(given().when(open, { at: '2027-01-01T00:00:00.000Z' })).toEqual([opened]);
  });

  it('fails if the decided events cannot be folded, because such a stream would accept no further command', () => {
    expect(() => given().when(open, { actor: { kind: 'account', id: 'arsonist', powers: [] } })).toThrow(
      'There is no door any more.',
    );
  });

  it('decides each command only on the given events, without the events of earlier commands', () => {
    const { when, state } = given();
    expect(when(open)).toEqual([opened]);
    expect(when(open)).toEqual([opened]);
    expect(state().open).toBe(false);
  });
});

describe('recorded', () => {
  it('numbers the events from the given revision on, and adds the actor, the moment and the cause', () => {
    expect(recorded([opened, opened], { ...usual, message: 'evt_1' }, 5)).toMatchObject([
      { ...opened, revision: 5, metadata: { actor: { kind: 'account', id: 'ada' }, at: now, causation: 'evt_1' } },
      { ...opened, revision: 6 },
    ]);
    expect(recorded([opened], usual)[0]).toMatchObject({ revision: 0, metadata: { causation: '', schema: 1 } });
  });

  it("leaves out the actor's powers", () => {
    const context: CommandContext = { ...usual, actor: { ...usual.actor, powers: ['operator'] } };
    expect(JSON.stringify(recorded([opened], context))).not.toContain('operator');
  });
});
