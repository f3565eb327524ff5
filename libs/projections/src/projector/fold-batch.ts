import { fold, type Folded, type Message, emptyStream } from '@charter/decider';
import type { ProjectionCheckpoint, Delivery, EventToFold, StoredEvent } from '@charter/event-log';
import { recordedEvent } from '@charter/event-log';
import { type ListedRow, listedRowOf, type View } from '../view';

/** The result of folding a batch of deliveries. The projector stores the result. */
export type FoldedBatch<Draft> = {
  /** The checkpoint after the batch; `undefined` while no checkpoint exists. */
  to: ProjectionCheckpoint | undefined;
  documents: Map<string, Folded<Draft>>;
  rows: Map<string, ListedRow>;
  /** For each stream, the first event that could not be folded. */
  poison: Map<string, PoisonEvent>;
  /** Whether the subscription reached the end of the log in this batch. */
  caughtUp: boolean;
};
export type PoisonEvent = Readonly<{ event: EventLocation; why: unknown }>;
/** An event's type, stream, revision and position, without its content. */
export type EventLocation = Pick<EventToFold, 'type' | 'stream' | 'revision' | 'position'>;

export type BatchContext<Draft> = Readonly<{
  identity: string;
  checkpoint: ProjectionCheckpoint | undefined;
  /** The existing documents of the batch's streams. The fold changes the documents. */
  known: { get(stream: string): Folded<Draft> | undefined };
  parked: { has(stream: string): boolean };
}>;

/**
 * Folds deliveries in order, each event into the document of its stream. An event changes nothing if its document
 * already contains the event. The result contains no document of a stream with a poison event, because the retry of the
 * stream starts from the stored document.
 */
export function foldBatch<Draft, Event extends Message>(
  view: View<Draft, Event>,
  deliveries: readonly Delivery[],
  before: BatchContext<Draft>,
): FoldedBatch<Draft> {
  const folded: FoldedBatch<Draft> = {
    to: before.checkpoint,
    documents: new Map(),
    rows: new Map(),
    poison: new Map(),
    caughtUp: false,
  };
  const last = new Map<string, StoredEvent>();
  for (const delivery of deliveries) {
    if (delivery.kind === 'caught-up') folded.caughtUp = true;
    if (delivery.kind === 'checkpoint') folded.to = furtherThan(folded.to, delivery.position, before.identity);
    if (delivery.kind !== 'event') continue;
    const { event } = delivery;
    last.set(event.stream, event);
    folded.to = withEvent(folded.to, event, before.identity);
    if (!before.parked.has(event.stream) && !folded.poison.has(event.stream)) take(view, event, before, folded);
  }
  for (const [stream, document] of folded.documents) addRow(view, document, last.get(stream)!, folded);
  return folded;
}

/**
 * Computes the document's list row and adds it. If the row cannot be computed, the stream's last event counts as
 * poison.
 */
function addRow<Draft, Event extends Message>(
  view: View<Draft, Event>,
  document: Folded<Draft>,
  event: StoredEvent,
  { documents, rows, poison }: FoldedBatch<Draft>,
): void {
  try {
    const row = listedRowOf(view, document);
    if (row) rows.set(event.stream, row);
  } catch (why) {
    documents.delete(event.stream);
    poison.set(event.stream, { event, why });
  }
}

function take<Draft, Event extends Message>(
  view: View<Draft, Event>,
  event: StoredEvent,
  { known }: BatchContext<Draft>,
  { documents, poison }: FoldedBatch<Draft>,
): void {
  const { stream } = event;
  const document = documents.get(stream) ?? known.get(stream) ?? emptyStream<Draft>(view);
  try {
    const next = foldOne(view, document, event);
    if (next) documents.set(stream, next);
  } catch (why) {
    documents.delete(stream);
    poison.set(stream, { event, why });
  }
}

/**
 * Folds one event; returns `undefined` if the document already contains the event. The fold may change the given
 * document, so the caller must not use it afterwards.
 * @throws Error if the previous event is missing, or if the view cannot fold the event
 */
export function foldOne<Draft, Event extends Message>(
  view: View<Draft, Event>,
  document: Folded<Draft>,
  event: EventToFold,
): Folded<Draft> | undefined {
  const expected = document.revision + 1;
  const revision = Number(event.revision);
  if (revision < expected) return undefined;
  if (revision > expected) throw new Error(`Revision ${expected} is missing before revision ${revision}.`);
  const next = fold(view, [recordedEvent(view, event)], document);
  if (typeof next.at !== 'string') throw new Error(`The metadata of revision ${revision} contain no moment.`);
  return next;
}

/**
 * Moves `lastEvent` to an event after it. Never moves the position back: after a restore of the log, new events may be
 * before the stored position (`event-log.md` D5).
 */
function withEvent(
  checkpoint: ProjectionCheckpoint | undefined,
  { position, id }: Pick<StoredEvent, 'position' | 'id'>,
  store: string,
): ProjectionCheckpoint | undefined {
  if (checkpoint?.lastEvent && checkpoint.lastEvent.position >= position) return checkpoint;
  return { ...furtherThan(checkpoint, position, store), lastEvent: { position, id } };
}

/** Moves a checkpoint to a position. Keeps `lastEvent`, and never moves the checkpoint back. */
const furtherThan = (
  checkpoint: ProjectionCheckpoint | undefined,
  position: string,
  store: string,
): ProjectionCheckpoint =>
  checkpoint && checkpoint.position >= position ? checkpoint : { ...checkpoint, store, position };
