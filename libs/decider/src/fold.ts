import { beginning, type Evolution, type Message, type Moment, type Recorded, type EventContext } from './decider';

/** A stream, folded up to a revision: in memory, in the read model, or as it was long ago. */
export type Folded<State> = Readonly<{ state: State; revision: number; at: Moment }>;

/** A stream in which nothing has happened: revision −1. */
export const emptyStream = <Draft>({ initial }: Pick<Evolution<Draft, never>, 'initial'>): Folded<Draft> => ({
  state: initial(),
  revision: -1,
  at: beginning,
});

/**
 * The present, from the past. Owns the draft it is given and writes to it.
 * @throws on an event that this code has never heard of: limits must not be guessed from a history that cannot be read.
 */
export function fold<Draft, Event extends Message>(
  evolution: Evolution<Draft, Event>,
  events: Iterable<Recorded<Event>>,
  from: Folded<Draft> = emptyStream(evolution),
): Folded<Draft> {
  let { state, revision, at } = from;
  for (const event of events) {
    const next: Draft | undefined = evolution.evolve(state, event, eventContextOf(event));
    if (next === undefined) throw new Error(`The event type ${event.type} is newer than this code.`);
    ({ revision } = event);
    ({ at } = event.metadata);
    state = next;
  }
  return { state, revision, at };
}

/** What `evolve` may know of an event's circumstances. Only billing's messages break ties, so only theirs are told. */
export const eventContextOf = ({ revision, metadata }: Recorded<Message>): EventContext => ({
  event: revision,
  at: metadata.at,
  ...(metadata.actor.kind === 'billing' && { message: metadata.causation }),
});
