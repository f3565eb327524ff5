import { beginning, type Evolution, type Message, type Moment, type Recorded, type EventContext } from './decider';

/** The state of a stream after the events up to a revision. `at` is the moment of the last event. */
export type Folded<State> = Readonly<{ state: State; revision: number; at: Moment }>;

/** The state of a stream without events; its revision is −1. */
export const emptyStream = <Draft>({ initial }: Pick<Evolution<Draft, never>, 'initial'>): Folded<Draft> => ({
  state: initial(),
  revision: -1,
  at: beginning,
});

/**
 * Folds events into a state. The fold changes the given draft, so the caller must not use the draft afterwards.
 * @throws Error at an event type that this code does not know, because the state would be wrong without the event
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

/**
 * The input of `evolve` in addition to an event's type and data. Contains a message id only if billing caused the
 * event: only the ids of billing messages decide the order of changes with the same moment.
 */
export const eventContextOf = ({ revision, metadata }: Recorded<Message>): EventContext => ({
  event: revision,
  at: metadata.at,
  ...(metadata.actor.kind === 'billing' && { message: metadata.causation }),
});
