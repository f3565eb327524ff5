import {
  type CommandContext,
  decideAll,
  type Decider,
  type Folded,
  type Immutable,
  isRefusal,
  type Message,
  type Refusal,
  deepCopy,
} from '@charter/decider';
import { type Envelope, withMonotonicTime } from '@charter/event-log';
import { digestOfShown, shownEvent } from '@charter/integrity';
import { NotAsShown, RevisionMismatch, Refused } from './receipts';

/** The commands of one call, with their envelope and the logical time when the call began. */
export type PendingCommand<Command extends Message> = Readonly<{
  commands: readonly Command[];
  /** Whether the caller sent a list of commands; a refusal then contains an index. */
  isList: boolean;
  context: Envelope;
  tick: number;
  /** The time when the call must have an answer, on the clock of `performance`; see `deadline.ts`. */
  deadline: number;
}>;

/** The events to append (none if the commands change nothing), or the error for the caller. */
export type CommandDecision<Event extends Message> =
  Readonly<{ events: readonly Event[] }> | Readonly<{ error: () => Error }>;

export function decideCommands<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  current: Folded<Draft>,
  { commands, isList, context }: PendingCommand<Command>,
): CommandDecision<Event> {
  const { revision } = current;
  const decision = decisionOn(decider, commands, current, context);
  const refusal = 'refusal' in decision ? decision.refusal : undefined;
  if (context.shown !== undefined && !hidesStream(refusal)) {
    const isShown = 'events' in decision && digestOf(decision.events, current, context) === context.shown;
    return isShown ? decision : { error: () => new NotAsShown() };
  }
  if (!isSeen(context.expected, revision)) return { error: () => new RevisionMismatch(revision, refusal) };
  if (!('refusal' in decision)) return decision;
  return { error: () => new Refused(decision.refusal, isList ? decision.index : undefined) };
}

/** Decides the commands of one call. Copies the state unless there is exactly one command. */
function decisionOn<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  current: Folded<Draft>,
  context: CommandContext,
): Decision<Event, Reason> {
  const [command] = commands;
  if (command === undefined || commands.length > 1) return decideOnCopy(decider, commands, current, context);
  const folded = current as Folded<Immutable<Draft>>; // `decide` does not change the state
  const decision = decider.decide(command, folded.state, withMonotonicTime(context, current.at));
  return isRefusal<Reason>(decision) ? { refusal: decision, index: 0 } : { events: decision };
}

type Decision<Event, Reason extends string> =
  Readonly<{ events: readonly Event[] }> | Readonly<{ refusal: Refusal<Reason>; index: number }>;

/** The events of all commands and the resulting state, or the first refusal. Works on a copy of the state. */
const decideOnCopy = <Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  current: Folded<Draft>,
  context: CommandContext,
) =>
  decideAll(
    withCopiedEvents(decider),
    commands,
    current as Folded<Immutable<Draft>>,
    withMonotonicTime(context, current.at),
  );

/**
 * Returns the same rules, but with copies of the events that `decide` returns and `evolve` gets. The events may share
 * objects with the state and with each other, and `evolve` changes these objects.
 */
export const withCopiedEvents = <Draft, Command extends Message, Event extends Message, Reason extends string>({
  decide,
  evolve,
}: Decider<Draft, Command, Event, Reason>): Pick<Decider<Draft, Command, Event, Reason>, 'decide' | 'evolve'> => ({
  decide: (...args) => deepCopy(decide(...args)),
  evolve: (draft, event, context) => evolve(draft, deepCopy(event), context),
});

/**
 * Whether the refusal must hide the stream from the caller. If so, no other error may reveal anything about the stream.
 */
const hidesStream = (refusal: Refusal | undefined): boolean =>
  refusal?.refused === 'not-allowed' || refusal?.refused === 'no-such-organization';

function digestOf(events: readonly Message[], { revision, at }: Folded<unknown>, context: Envelope): string {
  const decidedAt = withMonotonicTime(context, at).at;
  return digestOfShown(
    revision,
    events.map((event) => shownEvent(event, decidedAt)),
  );
}

const isSeen = (expected: Envelope['expected'], revision: number): boolean =>
  expected === undefined || (expected === '*' ? revision >= 0 : expected === revision);
