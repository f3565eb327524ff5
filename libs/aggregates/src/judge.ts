import {
  type Asked,
  decideAll,
  type Decider,
  type Folded,
  type Immutable,
  isRefusal,
  type Message,
  type Refusal,
} from '@charter/decider';
import { type Envelope, inOrder } from '@charter/event-log';
import { NotAsSeen, Refused } from './receipts';

/** One telling: what is asked, by whom, and when it was asked in the order of ticks. */
export type Telling<Command extends Message> = Readonly<{
  commands: readonly Command[];
  /** Whether it came as a list, so that a refusal names its index. */
  isList: boolean;
  by: Envelope;
  asked: number;
  /** The moment up to which its caller is patient; see `patience.ts`. */
  until: number;
}>;

/** What becomes of a telling: events (none, when there is nothing new), or a no that is still to be said. */
export type Verdict<Event extends Message> = Readonly<{ events: readonly Event[] }> | Readonly<{ no: () => Error }>;

export function verdictOn<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  present: Folded<Draft>,
  { commands, isList, by }: Telling<Command>,
): Verdict<Event> {
  const { revision } = present;
  const decision = decisionOn(decider, commands, present, by);
  const refusal = 'refusal' in decision ? decision.refusal : undefined;
  if (!isSeen(by.expected, revision)) return { no: () => new NotAsSeen(revision, refusal) };
  if (!('refusal' in decision)) return decision;
  return { no: () => new Refused(decision.refusal, isList ? decision.index : undefined) };
}

/** A single command needs no copy of the state. */
function decisionOn<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  present: Folded<Draft>,
  by: Asked,
): Decision<Event, Reason> {
  const [command] = commands;
  if (command === undefined || commands.length > 1) return rehearse(decider, commands, present, by);
  const folded = present as Folded<Immutable<Draft>>; // `decide` only looks
  const decision = decider.decide(command, folded.state, inOrder(by, present.at));
  return isRefusal<Reason>(decision) ? { refusal: decision, index: 0 } : { events: decision };
}

type Decision<Event, Reason extends string> =
  Readonly<{ events: readonly Event[] }> | Readonly<{ refusal: Refusal<Reason>; index: number }>;

/** All of the commands' events and what they lead to, or the first refusal. Works on a copy. */
export function rehearse<Draft, Command extends Message, Event extends Message, Reason extends string>(
  { decide, evolve }: Decider<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  present: Folded<Draft>,
  by: Asked,
) {
  // Decisions share parts with the state and with each other, and `evolve` writes to them; what is stored does not.
  const apart: Pick<Decider<Draft, Command, Event, Reason>, 'decide' | 'evolve'> = {
    decide: (...asked) => structuredClone(decide(...asked)),
    evolve: (draft, event, told) => evolve(draft, structuredClone(event), told),
  };
  return decideAll(apart, commands, present as Folded<Immutable<Draft>>, inOrder(by, present.at));
}

const isSeen = (expected: Envelope['expected'], revision: number): boolean =>
  expected === undefined || (expected === '*' ? revision >= 0 : expected === revision);
