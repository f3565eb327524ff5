import {
  type CommandContext,
  decideEach,
  type Decider,
  type EachDecision,
  type Folded,
  type Immutable,
  type Message,
  deepCopy,
} from '@charter/decider';
import { withMonotonicTime } from '@charter/event-log';
import type { Preview } from './receipts';
import { withCopiedEvents } from './decide-commands';

/** Decides commands on a copy of the state, with the same rules as an execution. Writes nothing. */
export function previewCommands<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  { state, revision, at }: Folded<Draft>,
  commands: readonly Command[],
  context: CommandContext,
  options: EachDecision<Draft, Command> = { isLenient: false },
): Preview<Draft, Event, Reason> {
  const before = { state: deepCopy(state) as Immutable<Draft>, revision, at };
  const decidedAt = withMonotonicTime(context, at);
  const { after, ...decided } = decideEach(withCopiedEvents(decider), commands, before, decidedAt, options);
  const count = decided.events.length;
  return {
    ...{ ...decided, revision, at: decidedAt.at, before },
    after: { state: after, revision: revision + count, at: count > 0 ? decidedAt.at : at },
  };
}
