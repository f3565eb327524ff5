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

/** Given what happened, when something is asked, then: the events, or the refusal. For specs; the clock stands still. */
export function givenFor<Draft, Command extends Message, Event extends Message, Reason extends string>(
  decider: Decider<Draft, Command, Event, Reason>,
  usual: CommandContext,
) {
  return (...events: readonly Event[]) => {
    const folded = () => fold(decider, recorded(events, usual)) as Folded<Immutable<Draft>>;
    return {
      /** The state that these events lead to. */
      state: () => folded().state,
      when: (command: Command, asked: Partial<CommandContext> = {}) => {
        const by = { ...usual, ...asked };
        const { state, revision } = folded();
        const decision = decider.decide(command, state, by);
        // Whatever was decided must also be foldable, or the next command would find a broken stream.
        if (!isRefusal(decision)) fold(decider, recorded(decision, by, revision + 1), folded() as Folded<Draft>);
        return decision;
      },
    };
  };
}

/** Events as a log would return them, one revision after the other, all of one moment. Hashes stay empty. */
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
