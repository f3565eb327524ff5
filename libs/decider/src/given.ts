import {
  type CommandContext,
  type Decider,
  type Immutable,
  isRefusal,
  type Message,
  type Metadata,
  type Recorded,
} from './decider';
import { fold, type Folded } from './fold';

/**
 * For specs: `given(…events).when(command)` returns the events or the refusal of a command after the given events. All
 * events have the same moment, unless the spec passes another moment.
 */
export function givenFor<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  usual: CommandContext,
) {
  return (...events: readonly Event[]) => {
    const folded = () => fold(decider, recorded(events, usual)) as Folded<Immutable<Draft>>;
    return {
      /** The state after the given events. */
      state: () => folded().state,
      when: (command: Command, change: Partial<CommandContext> = {}) => {
        const context = { ...usual, ...change };
        const { state, revision } = folded();
        const decision = decider.decide(command, state, context);
        // Also folds the decided events, so that a spec fails if an event cannot be folded. Such a stream would accept
        // no further command.
        if (!isRefusal(decision)) fold(decider, recorded(decision, context, revision + 1), folded() as Folded<Draft>);
        return decision;
      },
    };
  };
}

/**
 * Events in the form in which a log returns them, with consecutive revisions and the same moment. The events have empty
 * texts in place of hashes.
 */
export const recorded = <Event extends Message>(
  events: readonly Event[],
  { actor, at, message }: CommandContext,
  first = 0,
): Recorded<Event>[] =>
  events.map((event, index) => ({ ...event, revision: first + index, metadata: metadataOf(actor, at, message) }));

const metadataOf = ({ kind, id }: CommandContext['actor'], at: string, message = ''): Metadata => ({
  command: '',
  correlation: '',
  causation: message,
  actor: { kind, id },
  at,
  schema: 1,
  previousHash: '',
  hash: '',
});
