import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
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
  const foldWhile = (isIncluded: (event: StoredEvent) => boolean) => foldStream(log, edition, view, stream, isIncluded);
  const folded = await foldWhile(({ position }) => position <= until);
  if (!folded.poison) return folded;

  // The failed fold may have changed a part of the document. The events before the poison event are therefore read and
  // folded again, into a new copy.
  const { event } = folded.poison;
  const { document, row } = await foldWhile(({ revision }) => revision < event.revision);
  return { ...(document && { document, row }), poison: folded.poison };
}

/** Folds the events after the stored document, up to the first event that `isIncluded` excludes. */
async function foldStream<Draft, Event extends Message>(
  log: EventLog,
  edition: Pick<Edition<Draft>, 'get'>,
  view: View<Draft, Event>,
  stream: string,
  isIncluded: (event: StoredEvent) => boolean,
): Promise<RefoldResult<Draft>> {
  let document = (await edition.get(stream)) ?? emptyStream<Draft>(view);
  let last: StoredEvent | undefined;
  for await (const event of log.readStream(stream, { from: BigInt(document.revision + 1) })) {
    if (!isIncluded(event)) break;
    try {
      document = foldOne(view, document, event) ?? document;
    } catch (error) {
      return { poison: { event, why: error } };
    }
    last = event;
    if (event.revision % EVENTS_BETWEEN_PAUSES === 0n) await yieldToEventLoop();
  }
  return document.revision < 0 ? {} : withRow(view, document, last);
}

/** The number of events after which a fold lets the event loop run other work. */
const EVENTS_BETWEEN_PAUSES = 500n;

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
