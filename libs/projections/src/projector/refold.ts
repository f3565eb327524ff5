import { type Folded, type Message, emptyStream } from '@charter/decider';
import type { Edition } from '../document-store';
import type { EventLog, Position, StoredEvent } from '@charter/event-log';
import { foldOne, type PoisonEvent } from './fold-batch';
import { type ListedRow, listedRowOf, type View } from '../view';

/**
 * The result for one stream: its document, folded up to the given position or to the last revision before a poison
 * event.
 */
export type RefoldResult<Draft> = Readonly<{
  document?: Folded<Draft>;
  row?: ListedRow | undefined;
  poison?: PoisonEvent;
}>;

/**
 * Folds one stream, beginning with its stored document, up to and including a position.
 * @throws errors of the log or the store; an error of the view is returned as `poison`
 */
export async function refold<Draft, Event extends Message>(
  log: EventLog,
  edition: Pick<Edition<Draft>, 'get'>,
  view: View<Draft, Event>,
  stream: string,
  until: Position,
): Promise<RefoldResult<Draft>> {
  const stored = await edition.get(stream);
  const events = await eventsAfter(log, stream, stored?.revision ?? -1, until);
  const folded = foldAll(view, stored ?? emptyStream<Draft>(view), events);
  if (!folded.poison) return folded;

  // The failed fold may have changed a part of the document. The events before the poison event are therefore folded
  // again, into a new copy.
  const { event } = folded.poison;
  const good = events.filter(({ revision }) => revision < event.revision);
  const { document, row } = foldAll(view, (await edition.get(stream)) ?? emptyStream<Draft>(view), good);
  return { ...(document && { document, row }), poison: folded.poison };
}

function foldAll<Draft, Event extends Message>(
  view: View<Draft, Event>,
  start: Folded<Draft>,
  events: readonly StoredEvent[],
): RefoldResult<Draft> {
  let document = start;
  for (const event of events) {
    try {
      document = foldOne(view, document, event) ?? document;
    } catch (error) {
      return { poison: { event, why: error } };
    }
  }
  return document.revision < 0 ? {} : withRow(view, document, events.at(-1));
}

/** Adds the row to the result. If the row cannot be computed, the last event counts as poison. */
function withRow<Draft, Event extends Message>(
  view: View<Draft, Event>,
  document: Folded<Draft>,
  event: StoredEvent | undefined,
): RefoldResult<Draft> {
  try {
    return { document, row: listedRowOf(view, document) };
  } catch (error) {
    if (!event) throw error;
    return { poison: { event, why: error } };
  }
}

async function eventsAfter(log: EventLog, stream: string, revision: number, until: Position): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of log.readStream(stream, { from: BigInt(revision + 1) })) {
    if (event.position > until) break;
    events.push(event);
  }
  return events;
}
