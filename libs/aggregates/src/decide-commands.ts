import {
  type CommandContext,
  decideAll,
  type Decider,
  type Folded,
  type Immutable,
  isRefusal,
  type Message,
  type Refusal,
} from '@charter/decider';
import { type Envelope, withMonotonicTime } from '@charter/event-log';
import { RevisionMismatch, Refused } from './receipts';

/** One telling: what is asked, by whom, and when it was asked in the order of ticks. */
export type PendingCommand<Command extends Message> = Readonly<{
  commands: readonly Command[];
  /** Whether it came as a list, so that a refusal names its index. */
  isList: boolean;
  context: Envelope;
  tick: number;
  /** The moment up to which its caller is patient; see `patience.ts`. */
  deadline: number;
}>;

/** What becomes of a telling: events (none, when there is nothing new), or a no that is still to be said. */
export type CommandDecision<Event extends Message> =
  Readonly<{ events: readonly Event[] }> | Readonly<{ no: () => Error }>;

export function decideCommands<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  present: Folded<Draft>,
  { commands, isList, context }: PendingCommand<Command>,
): CommandDecision<Event> {
  const { revision } = present;
  const decision = decisionOn(decider, commands, present, context);
  const refusal = 'refusal' in decision ? decision.refusal : undefined;
  if (!isSeen(context.expected, revision)) return { no: () => new RevisionMismatch(revision, refusal) };
  if (!('refusal' in decision)) return decision;
  return { no: () => new Refused(decision.refusal, isList ? decision.index : undefined) };
}

/** A single command needs no copy of the state. */
function decisionOn<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  present: Folded<Draft>,
  by: CommandContext,
): Decision<Event, Reason> {
  const [command] = commands;
  if (command === undefined || commands.length > 1) return decideOnCopy(decider, commands, present, by);
  const folded = present as Folded<Immutable<Draft>>; // `decide` only looks
  const decision = decider.decide(command, folded.state, withMonotonicTime(by, present.at));
  return isRefusal<Reason>(decision) ? { refusal: decision, index: 0 } : { events: decision };
}

type Decision<Event, Reason extends string> =
  Readonly<{ events: readonly Event[] }> | Readonly<{ refusal: Refusal<Reason>; index: number }>;

/** All of the commands' events and what they lead to, or the first refusal. Works on a copy. */
export function decideOnCopy<Draft, Command extends Message, Event extends Message, Reason extends string>(
  { decide, evolve }: Decider<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  present: Folded<Draft>,
  by: CommandContext,
) {
  // Decisions share parts with the state and with each other, and `evolve` writes to them; what is stored does not.
  const apart: Pick<Decider<Draft, Command, Event, Reason>, 'decide' | 'evolve'> = {
    decide: (...asked) => structuredClone(decide(...asked)),
    evolve: (draft, event, told) => evolve(draft, structuredClone(event), told),
  };
  return decideAll(apart, commands, present as Folded<Immutable<Draft>>, withMonotonicTime(by, present.at));
}

const isSeen = (expected: Envelope['expected'], revision: number): boolean =>
  expected === undefined || (expected === '*' ? revision >= 0 : expected === revision);
