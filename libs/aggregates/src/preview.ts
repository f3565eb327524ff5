import type { CommandContext, Decider, Folded, Immutable, Message } from '@charter/decider';
import { withMonotonicTime } from '@charter/event-log';
import type { Preview } from './receipts';
import { decideOnCopy } from './decide-commands';

/** Decides commands on a copy of the state, with the rules that also decide at execution. Writes nothing. */
export function previewCommands<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  { state, revision, at }: Folded<Draft>,
  commands: readonly Command[],
  context: CommandContext,
): Preview<Draft, Event, Reason> {
  const before = { state: structuredClone(state) as Immutable<Draft>, revision, at };
  const decision = decideOnCopy(decider, commands, { state, revision, at }, context);
  if ('refusal' in decision) return { revision, ...decision };

  const { events } = decision;
  const end = events.length > 0 ? withMonotonicTime(context, at).at : at;
  return { revision, before, after: { state: decision.after, revision: revision + events.length, at: end }, events };
}
