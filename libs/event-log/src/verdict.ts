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
import { type Envelope, inOrder } from './envelope';
import { NotAsSeen, Refused } from './outcomes';

/** One telling: what is asked, by whom, and when it was asked in the order of ticks. */
export type Telling<Command extends Message> = Readonly<{
  commands: readonly Command[];
  /** Whether it came as a list, so that a refusal names its index. */
  isList: boolean;
  by: Envelope;
  asked: number;
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

/** All of the commands' events, or the first refusal. A single command needs no copy of the state. */
function decisionOn<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  commands: readonly Command[],
  present: Folded<Draft>,
  by: Asked,
): { events: readonly Event[] } | { refusal: Refusal<Reason>; index: number } {
  const folded = present as Folded<Immutable<Draft>>; // `decide` only looks
  const asked = inOrder(by, present.at);
  const [command] = commands;
  if (command === undefined || commands.length > 1) return decideAll(decider, commands, folded, asked);
  const decision = decider.decide(command, folded.state, asked);
  return isRefusal<Reason>(decision) ? { refusal: decision, index: 0 } : { events: decision };
}

const isSeen = (expected: Envelope['expected'], revision: number): boolean =>
  expected === undefined || (expected === '*' ? revision >= 0 : expected === revision);
