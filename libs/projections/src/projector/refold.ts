import { type Folded, type Message, emptyStream } from '@charter/decider';
import type { Edition } from '../document-store';
import type { EventLog, Position, StoredEvent } from '@charter/event-log';
import { foldOne, type PoisonEvent } from './fold-batch';
import { type ListedRow, listedRowOf, type View } from '../view';

/** What one stream has become: folded to the end asked for, or to the last good revision before poison. */
export type RefoldResult<Draft> = Readonly<{
  document?: Folded<Draft>;
  row?: ListedRow | undefined;
  poison?: PoisonEvent;
}>;

/**
 * Folds one stream on from its stored document, up to a position (inclusive).
 * @throws what the log or the store throws; what the view throws is the answer
 */
export async function refold<Draft, Event extends Message>(
  log: EventLog,
  edition: Pick<Edition<Draft>, 'get'>,
  view: View<Draft, Event>,
  stream: string,
  until: Position,
): Promise<RefoldResult<Draft>> {
  const stored = await edition.get(stream);
  const events = await missing(log, stream, stored?.revision ?? -1, until);
  const further = foldAll(view, stored ?? emptyStream<Draft>(view), events);
  if (!further.poison) return further;

  // The failing event may have written half of itself: the part before it is folded again, on a copy of its own.
  const good = events.slice(0, events.indexOf(further.poison.event));
  const { document, row } = foldAll(view, (await edition.get(stream)) ?? emptyStream<Draft>(view), good);
  return { ...(document && { document, row }), poison: further.poison };
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
    } catch (why) {
      return { poison: { event, why } };
    }
  }
  return document.revision < 0 ? {} : enlisted(view, document, events.at(-1));
}

/** A row that cannot be made is the last event's fault; without a new event the stored row was made before. */
function enlisted<Draft, Event extends Message>(
  view: View<Draft, Event>,
  document: Folded<Draft>,
  event: StoredEvent | undefined,
): RefoldResult<Draft> {
  try {
    return { document, row: listedRowOf(view, document) };
  } catch (why) {
    if (!event) throw why;
    return { poison: { event, why } };
  }
}

async function missing(log: EventLog, stream: string, revision: number, until: Position): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for await (const event of log.readStream(stream, { from: BigInt(revision + 1) })) {
    if (event.position > until) break;
    events.push(event);
  }
  return events;
}
