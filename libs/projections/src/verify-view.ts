import { createHash } from 'node:crypto';
import { type Message, emptyStream } from '@charter/decider';
import { canonicalText } from '@charter/integrity';
import type { Edition, DocumentPage, EditionStatus } from './document-store';
import { isLogError } from '@charter/event-log';
import { fractionRead } from './rebuild/edition-builder';
import { foldOne } from './projector/fold-batch';
import { pagesOf } from '@charter/event-log';
import { type EventLog, EMPTY_LOG_POSITION, type EventToFold, type StreamReader } from '@charter/event-log';
import { listedRowOf, type View } from './view';

/** The result of comparing each document with a replay of its stream up to the document's revision. */
export type ViewVerification = Readonly<{
  ok: boolean;
  documents: number;
  /**
   * Two SHA-256 hashes over all documents, sorted by stream: first over the stored documents, then over the replayed
   * documents.
   */
  hash: string;
  replayHash: string;
  /** The first hundred differences. */
  differences: readonly DocumentDifference[];
  different: number;
}>;
/**
 * The progress of a verification, which first compares all documents, and then reads all events to find missing
 * documents.
 */
export type VerifyProgress =
  Readonly<{ step: 'documents'; documents: number }> | Readonly<{ step: 'events'; events: number; part: number }>;
export type DocumentDifference = Readonly<{ stream: string; revision: number; why: string }>;

/**
 * Compares every document with a replay of its stream up to the document's revision, so that events may be appended
 * meanwhile. Also finds documents that are missing or parked, and documents that lack events before the checkpoint.
 * Keeps one page of documents and one replayed document in memory.
 */
export async function verifyView<Draft, Event extends Message>(
  log: EventLog,
  edition: Edition<Draft>,
  view: View<Draft, Event>,
  onProgress: (progress: VerifyProgress) => void = () => undefined,
): Promise<ViewVerification> {
  const [stored, replayed] = [createHash('sha256'), createHash('sha256')];
  const found = differences();
  let documents = 0;
  for (let after = ''; ;) {
    const page = await edition.page(after, PAGE);
    for (const entry of page.documents) {
      const comparison = await compare(log, view, entry, page.status);
      stored.update(comparison.stored);
      replayed.update(comparison.replayed);
      found.add(entry.stream, entry.document.revision, comparison.why);
    }
    documents += page.documents.length;
    onProgress({ step: 'documents', documents });
    const last = page.documents.at(-1);
    if (!last) break;
    after = last.stream;
  }
  await findMissing(log, edition, view, found.add, onProgress);
  const hashes = { hash: stored.digest('hex'), replayHash: replayed.digest('hex') };
  return { ok: found.count() === 0, documents, ...hashes, differences: found.first(), different: found.count() };
}

/** Compares one document with its stream; `undefined` if they agree. Also reports a missing document. */
export async function verifyDocument<Draft, Event extends Message>(
  log: StreamReader,
  edition: Edition<Draft>,
  view: View<Draft, Event>,
  stream: string,
): Promise<DocumentDifference | undefined> {
  const { documents, status } = await edition.page(stream, 1, 'inclusive');
  const entry = documents.find((each) => each.stream === stream);
  const why = entry ? (await compare(log, view, entry, status)).why : await absence(log, stream, status);
  return why === undefined ? undefined : { stream, revision: entry?.document.revision ?? -1, why };
}

type Entry<Draft> = DocumentPage<Draft>['documents'][number];

async function compare<Draft, Event extends Message>(
  log: StreamReader,
  view: View<Draft, Event>,
  entry: Entry<Draft>,
  status: EditionStatus,
) {
  const { stream, document, row } = entry;
  const stored = canonicalText({ stream, document, row });
  const wait = status.parked.get(stream);
  try {
    const { replay, behind } = await replayed(log, view, stream, document.revision, status);
    const text = canonicalText({ stream, document: replay, row: listedRowOf(view, replay) });
    if (wait) return { stored, replayed: text, why: `it is parked at revision ${wait.revision}: ${wait.error}` };
    if (stored !== text)
      return { stored, replayed: text, why: 'the document is not what a replay of its stream gives' };
    return { stored, replayed: text, why: behind ? 'it lacks events that lie before the checkpoint' : undefined };
  } catch (why) {
    if (isLogError(why) && why.kind !== 'not-found') throw why;
    return { stored, replayed: '', why: `its stream cannot be replayed: ${String(why)}` };
  }
}

/**
 * Folds a stream up to a revision. `behind` is true if the next event is not after the checkpoint, so that the document
 * lacks this event.
 */
async function replayed<Draft, Event extends Message>(
  log: StreamReader,
  view: View<Draft, Event>,
  stream: string,
  revision: number,
  { checkpoint }: EditionStatus,
) {
  let replay = emptyStream<Draft>(view);
  for await (const event of log.readStream(stream, { maxCount: revision + 2 })) {
    if (replay.revision === revision) return { replay, behind: event.position <= (checkpoint?.position ?? '') };
    replay = foldOne(view, replay, event) ?? replay;
  }
  return { replay, behind: false };
}

/** Finds streams that began before the checkpoint and have no document. */
async function findMissing<Draft, Event extends Message>(
  log: EventLog,
  edition: Edition<Draft>,
  view: View<Draft, Event>,
  add: (stream: string, revision: number, why: string) => void,
  onProgress: (progress: VerifyProgress) => void,
): Promise<void> {
  const { checkpoint, parked } = await edition.status();
  const end = checkpoint?.position ?? EMPTY_LOG_POSITION;
  let events = 0;
  for await (const page of pagesOf(log, { from: 'start', streamPrefixes: view.prefixes })) {
    const begun = page.filter(({ revision, position }) => revision === 0n && position <= (checkpoint?.position ?? ''));
    const known = await edition.revisions(begun.map(({ stream }) => stream));
    for (const { stream } of begun.filter((event) => !known.has(event.stream)))
      add(stream, -1, missing(parked.get(stream)));
    events += page.length;
    onProgress({ step: 'events', events, part: fractionRead(page.at(-1)?.position ?? end, end) });
    if (isBeyond(page, checkpoint?.position)) return;
  }
}

const isBeyond = (page: readonly EventToFold[], position = '') => (page.at(-1)?.position ?? '') > position;

const missing = (wait: { error: string } | undefined) =>
  wait ? `it is parked at its first event: ${wait.error}` : 'it has no document';

async function absence(
  log: StreamReader,
  stream: string,
  { checkpoint, parked }: EditionStatus,
): Promise<string | undefined> {
  for await (const event of log.readStream(stream, { maxCount: 1 })) {
    return event.position <= (checkpoint?.position ?? '') ? missing(parked.get(stream)) : undefined;
  }
  return undefined;
}

function differences() {
  const first: DocumentDifference[] = [];
  let count = 0;
  return {
    add: (stream: string, revision: number, why: string | undefined) => {
      if (why === undefined) return;
      count += 1;
      if (first.length < 100) first.push({ stream, revision, why });
    },
    first: () => first,
    count: () => count,
  };
}

/** The number of documents on one page. */
const PAGE = 100;
