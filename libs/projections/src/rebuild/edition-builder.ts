import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Folded, type Message, emptyStream } from '@charter/decider';
import type { EditionChange, Edition, EditionCursor, ParkedStream } from '../document-store';
import { type EventLocation, foldOne } from '../projector/fold-batch';
import {
  eventAtRevision,
  type EventLog,
  type EventToFold,
  EMPTY_LOG_POSITION,
  pagesOf,
  type Position,
  type ProjectionCheckpoint,
} from '@charter/event-log';
import { type ListedRow, listedRowOf, type View } from '../view';

/**
 * The error of a rebuild that finds an event that cannot be folded. The rebuild then ends, and the live edition stays
 * live.
 */
export class Poisoned extends Error {
  constructor(
    readonly event: EventLocation,
    options: ErrorOptions,
  ) {
    const { type, stream, revision, position } = event;
    super(
      `${type}, revision ${revision} of ${stream} at position ${position}, cannot be folded: ${String(options.cause)}`,
      options,
    );
    this.name = 'Poisoned';
  }
}

/** The progress of a rebuild. `part`: how much of the log was read, from 0 to 1. */
export type RebuildProgress = Readonly<{ events: number; position: Position; part: number }>;

export type EditionBuilder = Readonly<{
  sofar: () => Readonly<{ events: number; position: Position }>;
  /**
   * Folds all events that are in the log at this moment. @throws Poisoned, Overtaken, and errors of the log or the
   * store
   */
  toTheEnd: () => Promise<void>;
}>;

type Options = Readonly<{
  /** The maximum number of documents in memory. */
  documentsMax: number;
  /** The progress callback, which may throw to end the build. */
  onPage: (progress: RebuildProgress) => void;
  /** The effect of an event that cannot be folded: it parks its stream in the new edition, or ends the build. */
  onPoison: 'park' | 'fail';
}>;

/**
 * Builds an edition. The builder writes its documents when memory contains more than `documentsMax`, and at the end of
 * the log.
 */
export async function buildEdition<Draft, Event extends Message>(
  log: EventLog,
  edition: Edition<Draft>,
  view: View<Draft, Event>,
  { onPage, documentsMax, onPoison }: Options,
): Promise<EditionBuilder> {
  const documents = new Map<string, Folded<Draft>>();
  const unwritten = new Set<string>(); // the changed streams
  const parked = new Map<string, ParkedStream>();
  const store = await log.identity();
  let reached: Position = EMPTY_LOG_POSITION;
  let lastFolded: Position | undefined;
  let cursor: EditionCursor = { checkpoint: undefined, commits: 0 };
  let events = 0;
  let complete = true; // whether memory still contains all documents

  const commit = async (change: Pick<EditionChange<Draft>, 'to' | 'documents' | 'rows' | 'parked'>) => {
    await edition.commit({ from: cursor, ...change });
    cursor = { checkpoint: change.to, commits: cursor.commits + 1 };
  };
  await commit({ to: { store, position: reached }, ...noDocuments });
  const stored = () => cursor.checkpoint!; // the commit above has set it

  /**
   * Parks the stream of an event that cannot be folded. The projector later retries the event, and sends an alarm after
   * the last retry.
   */
  const park = (poisoned: Poisoned) => {
    if (onPoison === 'fail') throw poisoned;
    const { stream, revision, type, position } = poisoned.event;
    const error = String(poisoned.cause).slice(0, ERROR_MAX);
    const since = new Date().toISOString();
    parked.set(stream, { revision: Number(revision), type, position, error, attempts: 1, since });
    documents.delete(stream); // the failed fold may have changed a part of the document
    unwritten.delete(stream);
  };
  /**
   * Computes the list rows of the documents in a chunk. If a row cannot be computed, removes the document from the
   * chunk and parks its stream.
   */
  const rowsOf = async (chunk: Map<string, Folded<Draft>>) => {
    const rows = new Map<string, ListedRow>();
    for (const [stream, document] of chunk) {
      try {
        const row = listedRowOf(view, document);
        if (row) rows.set(stream, row);
      } catch (cause) {
        chunk.delete(stream);
        const lastOfStream = await eventAtRevision(log, stream, document.revision); // counts as poison
        park(new Poisoned(lastOfStream, { cause }));
      }
    }
    return rows;
  };
  const write = async () => {
    for (const streams of chunks([...unwritten], WRITE_MAX)) {
      const chunk = new Map(streams.map((stream) => [stream, documents.get(stream)!]));
      const rows = await rowsOf(chunk);
      await commit({ to: stored(), documents: chunk, rows });
      await yieldToEventLoop();
    }
    unwritten.clear();
    await commit({ to: await withLastEvent(log, { store, position: reached }, lastFolded), ...noDocuments, parked });
  };
  const dropHalf = () => {
    complete = false;
    for (const stream of documents.keys()) {
      if (documents.size <= documentsMax / 2) return;
      documents.delete(stream);
    }
  };
  const load = async (page: readonly EventToFold[]) => {
    const uncached = new Set(page.map(({ stream }) => stream).filter((stream) => !documents.has(stream)));
    for (const [stream, document] of await edition.getMany([...uncached])) documents.set(stream, document);
  };
  const fold = (event: EventToFold) => {
    const { stream } = event;
    unwritten.add(stream);
    try {
      const next = foldOne(view, documents.get(stream) ?? emptyStream<Draft>(view), event);
      if (next) documents.set(stream, next);
    } catch (cause) {
      park(new Poisoned(event, { cause }));
    }
  };
  const take = (event: EventToFold) => {
    const { stream, position } = event;
    if (position <= reached) return;
    if (!parked.has(stream)) fold(event);
    reached = lastFolded = position;
    events += 1;
  };
  const sofar = () => ({ events, position: reached });
  return {
    sofar,
    toTheEnd: async () => {
      const head = await log.head();
      for await (const page of pagesOf(log, { from: lastFolded ?? 'start', streamPrefixes: view.prefixes })) {
        if (!complete) await load(page);
        page.forEach(take);
        if (documents.size > documentsMax) {
          await write();
          dropHalf();
        }
        onPage({ ...sofar(), part: fractionRead(reached, head) });
        if (reached > head) break; // waiting for the newest event would never end on a busy log
        await yieldToEventLoop();
      }
      if (head > reached) reached = head;
      await write();
    },
  };
}

/**
 * Adds the last folded event to a checkpoint, because the batches of a log contain no ids.
 * @throws Error if the log no longer has this event. If the checkpoint named a later event instead, the projector would
 * skip that event.
 */
async function withLastEvent(log: EventLog, checkpoint: ProjectionCheckpoint, lastFolded: Position | undefined) {
  if (lastFolded === undefined) return checkpoint;
  for await (const { position, id } of log.readAll({ from: lastFolded, maxCount: 1 }))
    if (position === lastFolded) return { ...checkpoint, lastEvent: { position, id } };
  throw new Error(
    `The log no longer has the event at position ${lastFolded}, which the rebuild has folded. Start the rebuild again.`,
  );
}

/**
 * The part of the log that was read, from 0 to 1. The function computes the part from positions, which grow with the
 * size of the log.
 */
export const fractionRead = (position: Position, head: Position): number =>
  head === EMPTY_LOG_POSITION ? 1 : Math.min(1, Number(position) / Number(head));

const noDocuments = { documents: new Map<string, never>(), rows: new Map<string, ListedRow>() };

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The maximum number of documents in one transaction, so that other writers do not wait long. */
const WRITE_MAX = 128;

/** The maximum number of characters of an error that Charter stores. */
const ERROR_MAX = 2_000;
