import { type CommandContext, type Decider, type Immutable, isRefusal, type Message, type Refusal } from './decider';
import { deepCopy } from './deep-copy';
import type { Folded } from './fold';

/** The events of several commands, the refusals, and the state after the accepted commands. */
export type DecidedCommands<Draft, Event, Reason extends string> = Readonly<{
  events: readonly Event[];
  /** For each event, the index of the command that produced the event. */
  origins: readonly number[];
  /** The refusals in the order of the commands. */
  refused: readonly Readonly<{ index: number; refusal: Refusal<Reason> }>[];
  after: Immutable<Draft>;
}>;

/** How `decideEach` decides a list of commands. */
export type EachDecision<Draft, Command> = Readonly<{
  /** Whether the commands after a refused command are decided, too. */
  isLenient: boolean;
  /** Called with each command and the state on which the command is decided. The function must not keep the state. */
  visit?: (command: Command, state: Immutable<Draft>) => void;
}>;

type Rules<Draft, Command extends Message, Event extends Message, Reason extends string> = Pick<
  Decider<Draft, Command, Event, Reason>,
  'decide' | 'evolve'
>;

/**
 * Decides several commands, each on the state that the earlier accepted commands produce. A refused command does not
 * change the state. The given state stays unchanged.
 */
export function decideEach<Draft, Command extends Message, Event extends Message, Reason extends string>(
  { decide, evolve }: Rules<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  { state, revision }: Folded<Immutable<Draft>>,
  context: CommandContext,
  { isLenient, visit }: EachDecision<Draft, Command>,
): DecidedCommands<Draft, Event, Reason> {
  const { at, message } = context;
  const events: Event[] = [];
  const origins: number[] = [];
  const refused: { index: number; refusal: Refusal<Reason> }[] = [];
  let draft = deepCopy(state) as Draft;

  for (const [index, command] of commands.entries()) {
    visit?.(command, draft);
    const decision = decide(command, draft, context);
    if (isRefusal<Reason>(decision)) {
      refused.push({ index, refusal: decision });
      if (!isLenient) break;
      continue;
    }
    for (const event of decision) {
      events.push(event);
      origins.push(index);
      draft = evolve(draft, event, { event: revision + events.length, at, message });
    }
  }
  return { events, origins, refused, after: draft };
}

/**
 * Decides several commands, each on the state that the earlier commands produce. Returns all events and the resulting
 * state, or the first refusal with the index of its command. The given state stays unchanged.
 */
export function decideAll<Draft, Command extends Message, Event extends Message, Reason extends string>(
  rules: Rules<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  current: Folded<Immutable<Draft>>,
  context: CommandContext,
): { events: readonly Event[]; after: Immutable<Draft> } | { refusal: Refusal<Reason>; index: number } {
  const { events, after, refused } = decideEach(rules, commands, current, context, { isLenient: false });
  return refused[0] ?? { events, after };
}
