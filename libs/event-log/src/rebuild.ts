import { setImmediate as breathe } from 'node:timers/promises';
import { type Folded, type Message, nothingYet } from '@charter/decider';
import { compareEditions, type Comparison } from './compare-editions';
import type { DocumentStore, Edition } from './document-store';
import { checkpointAt, foldOne } from './fold-batch';
import { pagesOf } from './pages';
import { type Checkpoint, type EventLog, nowhere, type Position, type StoredEvent } from './port';
import { type Row, rowOf, type View } from './view';

export type Rebuilt = Readonly<{
  edition: number;
  events: number;
  position: Position;
  /** How the documents differ from those they replace; nothing where there were none of this version. */
  compared: Comparison | undefined;
}>;

export type RebuildOptions = Readonly<{
  onProgress?: (progress: Readonly<{ events: number; position: Position }>) => void;
  /** Documents held in memory before they are written. */
  documentsMax?: number;
  signal?: AbortSignal;
}>;

/** A rebuild met an event that cannot be folded. It ends there, and the live documents stay. */
export class Poisoned extends Error {
  constructor(
    readonly event: StoredEvent,
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

/**
 * Folds the whole log into a new edition beside the live one, and lets it answer once it has come as far. Begun anew
 * after a crash; the edition before stays until it is dropped.
 * @throws Poisoned at the first event that cannot be folded; Overtaken when another rebuild began
 */
export async function rebuild<Draft, Event extends Message>(
  log: EventLog,
  store: DocumentStore<Draft>,
  view: View<Draft, Event>,
  options: RebuildOptions = {},
): Promise<Rebuilt> {
  const before = await store.live();
  const edition = await store.begin();
  const filling = await fill(log, edition, view, options);
  await filling.toTheEnd();
  const compared = before?.version === edition.version ? await compareEditions(before, edition) : undefined;
  do await filling.toTheEnd();
  while (!(await store.flip(edition)));
  return { edition: edition.id, ...filling.sofar(), compared };
}

/** An edition being filled: documents in memory, written when there are too many of them and at the end. */
async function fill<Draft, Event extends Message>(
  log: EventLog,
  edition: Edition<Draft>,
  view: View<Draft, Event>,
  { onProgress = () => undefined, documentsMax = 10_000, signal }: RebuildOptions,
) {
  const documents = new Map<string, Folded<Draft>>();
  const unwritten = new Set<string>();
  let stored: Checkpoint = { store: await log.identity(), position: nowhere };
  let reached = stored;
  let events = 0;
  let complete = true; // whether all documents there are are still in memory
  await edition.commit({ from: undefined, to: stored, ...nothing });

  const write = async () => {
    for (const streams of chunks([...unwritten], WRITE_MAX)) {
      const some = new Map(streams.map((stream) => [stream, documents.get(stream)!]));
      await edition.commit({ from: stored, to: stored, documents: some, rows: rowsOf(view, some) });
      await breathe();
    }
    unwritten.clear();
    await edition.commit({ from: stored, to: reached, ...nothing });
    stored = reached;
  };
  const forget = () => {
    complete = false;
    for (const stream of documents.keys()) {
      if (documents.size <= documentsMax / 2) return;
      documents.delete(stream);
    }
  };
  const recall = async (page: readonly StoredEvent[]) => {
    const strange = new Set(page.map(({ stream }) => stream).filter((stream) => !documents.has(stream)));
    for (const [stream, document] of await edition.getMany([...strange])) documents.set(stream, document);
  };
  const take = (event: StoredEvent) => {
    const { stream, position } = event;
    if (position <= reached.position) return;
    const next = strictly(view, documents.get(stream) ?? nothingYet<Draft>(view), event);
    if (next) documents.set(stream, next);
    unwritten.add(stream);
    reached = checkpointAt(event, stored.store);
    events += 1;
  };
  return {
    sofar: () => ({ events, position: reached.position }),
    toTheEnd: async () => {
      const head = await log.head();
      for await (const page of pagesOf(log, {
        from: reached.lastEvent?.position ?? 'start',
        streamPrefixes: view.prefixes,
      })) {
        signal?.throwIfAborted();
        if (!complete) await recall(page);
        page.forEach(take);
        if (documents.size > documentsMax) {
          await write();
          forget();
        }
        onProgress({ events, position: reached.position });
        if (reached.position > head) break; // a busy log would never end
        await breathe();
      }
      if (head > reached.position) reached = { ...reached, position: head };
      await write();
    },
  };
}

function strictly<Draft, Event extends Message>(view: View<Draft, Event>, document: Folded<Draft>, event: StoredEvent) {
  try {
    return foldOne(view, document, event);
  } catch (cause) {
    throw new Poisoned(event, { cause });
  }
}

function rowsOf<Draft, Event extends Message>(view: View<Draft, Event>, documents: ReadonlyMap<string, Folded<Draft>>) {
  const rows = new Map<string, Row>();
  for (const [stream, document] of documents) {
    const row = rowOf(view, document);
    if (row) rows.set(stream, row);
  }
  return rows;
}

const nothing = { documents: new Map<string, never>(), rows: new Map<string, Row>() };

function* chunks<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** Documents in one transaction, so that nobody who writes beside a rebuild waits long. */
const WRITE_MAX = 128;
