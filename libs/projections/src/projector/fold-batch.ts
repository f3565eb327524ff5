import { fold, type Folded, type Message, emptyStream } from '@charter/decider';
import type { ProjectionCheckpoint, Delivery, StoredEvent } from '@charter/event-log';
import { recordedEvent } from '@charter/event-log';
import { type ListedRow, listedRowOf, type View } from '../view';

/** What a batch of deliveries makes of the documents. Nothing of it is stored yet. */
export type FoldedBatch<Draft> = {
  /** Undefined while nothing has moved. */
  to: ProjectionCheckpoint | undefined;
  documents: Map<string, Folded<Draft>>;
  rows: Map<string, ListedRow>;
  /** The first event of each stream that could not be folded. */
  poison: Map<string, PoisonEvent>;
  /** Whether the end of the log was reached on the way. */
  caughtUp: boolean;
};
export type PoisonEvent = Readonly<{ event: StoredEvent; why: unknown }>;

export type BatchContext<Draft> = Readonly<{
  identity: string;
  checkpoint: ProjectionCheckpoint | undefined;
  /** The documents of the batch's streams, as far as there are any. They are written to. */
  known: { get(stream: string): Folded<Draft> | undefined };
  parked: { has(stream: string): boolean };
}>;

/**
 * Folds deliveries in their order, each event into the document of its stream. An event that was delivered before
 * changes nothing. Of a stream that meets poison nothing of this batch is kept: repair begins at what is stored.
 */
export function foldBatch<Draft, Event extends Message>(
  view: View<Draft, Event>,
  deliveries: readonly Delivery[],
  before: BatchContext<Draft>,
): FoldedBatch<Draft> {
  const folding: FoldedBatch<Draft> = {
    to: before.checkpoint,
    documents: new Map(),
    rows: new Map(),
    poison: new Map(),
    caughtUp: false,
  };
  const last = new Map<string, StoredEvent>();
  for (const delivery of deliveries) {
    if (delivery.kind === 'caught-up') folding.caughtUp = true;
    if (delivery.kind === 'checkpoint') folding.to = furtherThan(folding.to, delivery.position, before.identity);
    if (delivery.kind !== 'event') continue;
    const { event } = delivery;
    last.set(event.stream, event);
    if (event.position > (folding.to?.position ?? '')) folding.to = checkpointAt(event, before.identity);
    if (!before.parked.has(event.stream) && !folding.poison.has(event.stream)) take(view, event, before, folding);
  }
  for (const [stream, document] of folding.documents) enlist(view, document, last.get(stream)!, folding);
  return folding;
}

/** A row that cannot be made is poison, like an event that cannot be folded. */
function enlist<Draft, Event extends Message>(
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
 * One event further; nothing if the document has it already. The document given is used up.
 * @throws when an event is missing before it, or when the view cannot fold it
 */
export function foldOne<Draft, Event extends Message>(
  view: View<Draft, Event>,
  document: Folded<Draft>,
  event: StoredEvent,
): Folded<Draft> | undefined {
  const expected = document.revision + 1;
  const revision = Number(event.revision);
  if (revision < expected) return undefined;
  if (revision > expected) throw new Error(`Revision ${expected} is missing before revision ${revision}.`);
  const next = fold(view, [recordedEvent(view, event)], document);
  if (typeof next.at !== 'string') throw new Error(`Revision ${revision} does not say when it happened.`);
  return next;
}

export const checkpointAt = ({ position, id }: StoredEvent, store: string): ProjectionCheckpoint => ({
  store,
  position,
  lastEvent: { position, id },
});

/** A bare position never loses the event that work goes on after, and never goes back. */
const furtherThan = (
  checkpoint: ProjectionCheckpoint | undefined,
  position: string,
  store: string,
): ProjectionCheckpoint =>
  checkpoint && checkpoint.position >= position ? checkpoint : { ...checkpoint, store, position };
