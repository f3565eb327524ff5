import { type CommandContext, type Decider, type Immutable, isRefusal, type Message, type Refusal } from './decider';
import type { Folded } from './fold';

/**
 * Decides several commands, each on the state after the commands before it. Returns all of their events and the state
 * after them, or the first refusal with the index of its command. The given state stays unchanged.
 */
export function decideAll<Draft, Command extends Message, Event extends Message, Reason extends string>(
  { decide, evolve }: Pick<Decider<Draft, Command, Event, Reason>, 'decide' | 'evolve'>,
  commands: readonly Command[],
  { state, revision }: Folded<Immutable<Draft>>,
  context: CommandContext,
): { events: readonly Event[]; after: Immutable<Draft> } | { refusal: Refusal<Reason>; index: number } {
  const { at, message } = context;
  const events: Event[] = [];
  let draft = structuredClone(state) as Draft;

  for (const [index, command] of commands.entries()) {
    const decision = decide(command, draft, context);
    if (isRefusal<Reason>(decision)) return { refusal: decision, index };
    for (const event of decision) {
      events.push(event);
      draft = evolve(draft, event, { event: revision + events.length, at, message });
    }
  }
  return { events, after: draft };
}
