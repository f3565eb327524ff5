import { type CommandContext, type Decider, type Immutable, isRefusal, type Message, type Refusal } from './decider';
import type { Folded } from './fold';

/**
 * Several commands, one after the other, each judged on what the ones before it decided: all of their events, or the
 * first refusal with the index of its command. The state that is given is not touched.
 */
export function decideAll<Draft, Command extends Message, Event extends Message, Reason extends string>(
  { decide, evolve }: Pick<Decider<Draft, Command, Event, Reason>, 'decide' | 'evolve'>,
  commands: readonly Command[],
  { state, revision }: Folded<Immutable<Draft>>,
  asked: CommandContext,
): { events: readonly Event[]; after: Immutable<Draft> } | { refusal: Refusal<Reason>; index: number } {
  const { at, message } = asked;
  const events: Event[] = [];
  let draft = structuredClone(state) as Draft;

  for (const [index, command] of commands.entries()) {
    const decision = decide(command, draft, asked);
    if (isRefusal<Reason>(decision)) return { refusal: decision, index };
    for (const event of decision) {
      events.push(event);
      draft = evolve(draft, event, { event: revision + events.length, at, message });
    }
  }
  return { events, after: draft };
}
