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
 * For specs: given these events, when a command comes, then its events or its refusal follow. The clock stands still.
 */
export function givenFor<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  usual: CommandContext,
) {
  return (...events: readonly Event[]) => {
    const folded = () => fold(decider, recorded(events, usual)) as Folded<Immutable<Draft>>;
    return {
      /** The state that these events lead to. */
      state: () => folded().state,
      when: (command: Command, change: Partial<CommandContext> = {}) => {
        const context = { ...usual, ...change };
        const { state, revision } = folded();
        const decision = decider.decide(command, state, context);
        // The decided events must also be foldable, or the next command would find a broken stream.
        if (!isRefusal(decision)) fold(decider, recorded(decision, context, revision + 1), folded() as Folded<Draft>);
        return decision;
      },
    };
  };
}

/** Events as a log returns them: with consecutive revisions and one moment. Their hashes are empty. */
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
