import { fold, type Folded, type Message, nothingYet } from '@charter/decider';
import type { Checkpoint, Delivery, StoredEvent } from '@charter/event-log';
import { recordedBy } from '@charter/event-log';
import { type Row, rowOf, type View } from '../view';

/** What a batch of deliveries makes of the documents. Nothing of it is stored yet. */
export type Folding<Draft> = {
  /** Undefined while nothing has moved. */
  to: Checkpoint | undefined;
  documents: Map<string, Folded<Draft>>;
  rows: Map<string, Row>;
  /** The first event of each stream that could not be folded. */
  poison: Map<string, Poison>;
  /** Whether the end of the log was reached on the way. */
  caughtUp: boolean;
};
export type Poison = Readonly<{ event: StoredEvent; why: unknown }>;

export type Before<Draft> = Readonly<{
  identity: string;
  checkpoint: Checkpoint | undefined;
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
  before: Before<Draft>,
): Folding<Draft> {
  const folding: Folding<Draft> = {
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
  { documents, rows, poison }: Folding<Draft>,
): void {
  try {
    const row = rowOf(view, document);
    if (row) rows.set(event.stream, row);
  } catch (why) {
    documents.delete(event.stream);
    poison.set(event.stream, { event, why });
  }
}

function take<Draft, Event extends Message>(
  view: View<Draft, Event>,
  event: StoredEvent,
  { known }: Before<Draft>,
  { documents, poison }: Folding<Draft>,
): void {
  const { stream } = event;
  const document = documents.get(stream) ?? known.get(stream) ?? nothingYet<Draft>(view);
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
  const next = fold(view, [recordedBy(view, event)], document);
  if (typeof next.at !== 'string') throw new Error(`Revision ${revision} does not say when it happened.`);
  return next;
}

export const checkpointAt = ({ position, id }: StoredEvent, store: string): Checkpoint => ({
  store,
  position,
  lastEvent: { position, id },
});

/** A bare position never loses the event that work goes on after, and never goes back. */
const furtherThan = (checkpoint: Checkpoint | undefined, position: string, store: string): Checkpoint =>
  checkpoint && checkpoint.position >= position ? checkpoint : { ...checkpoint, store, position };
