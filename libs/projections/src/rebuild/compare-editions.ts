import { createHash } from 'node:crypto';
import type { Message } from '@charter/decider';
import type { Edition, StoredDocument } from '../document-store';
import { canonicalText } from '@charter/integrity';
import type { EventLog } from '@charter/event-log';
import { type DocumentDifference, verifyDocument } from '../verify-view';
import type { View } from '../view';

/** The comparison of the live edition with the new edition, which is to replace the live edition. */
export type EditionComparison = Readonly<{
  /** The number of documents that are equal at the same revision. */
  equal: number;
  /**
   * The number of documents whose revisions differ, or that exist in only one edition. A document counts here only if
   * the live document agrees with a replay of its stream, or if its stream is parked.
   */
  moving: number;
  differences: number;
  /** The first hundred documents that differ. */
  different: readonly DocumentDifference[];
  /**
   * Two SHA-256 hashes over the documents that both editions have at the same revision, sorted by stream: first of the
   * new edition, then of the live edition. The hashes are equal exactly if these documents are equal.
   */
  hash: string;
  liveHash: string;
}>;

/**
 * Compares two editions document by document. If the revisions of a document differ, compares the live document with a
 * replay of its stream. The live document of a parked stream lacks events, so its difference counts as `moving`.
 */
export async function compareEditions<Draft, Event extends Message>(
  log: EventLog,
  live: Edition<Draft>,
  built: Edition<Draft>,
  view: View<Draft, Event>,
  onPage: () => void = () => undefined,
): Promise<EditionComparison> {
  const counts = { equal: 0, moving: 0, differences: 0 };
  const different: DocumentDifference[] = [];
  const [liveHash, hash] = [createHash('sha256'), createHash('sha256')];
  const compare = async (
    mine: Entry | undefined,
    theirs: Entry | undefined,
  ): Promise<DocumentDifference | undefined> => {
    if (mine?.revision !== theirs?.revision) return differenceOf((mine ?? theirs)!.stream);
    const [stored, made] = comparableTexts(mine!, theirs!);
    liveHash.update(stored);
    hash.update(made);
    counts.equal += stored === made ? 1 : 0;
    if (stored === made) return undefined;
    const { stream, revision } = mine!;
    return { stream, revision, why: 'the document is not what a replay of its stream gives' };
  };
  const differenceOf = async (stream: string) => {
    const difference = await verifyDocument(log, live, view, stream);
    if (difference && !(await live.status()).parked.has(stream)) return difference;
    counts.moving += 1;
    return undefined;
  };
  for await (const [mine, theirs] of sideBySide(live, built, onPage)) {
    const difference = await compare(mine, theirs);
    if (!difference) continue;
    counts.differences += 1;
    if (different.length < 100) different.push(difference);
  }
  return { ...counts, different, hash: hash.digest('hex'), liveHash: liveHash.digest('hex') };
}

type Entry = StoredDocument<unknown>;

/**
 * Two texts that are equal exactly if the documents are equal. Nearly all documents have equal stored texts. So the
 * function parses documents only if their stored texts differ, for example in the order of their fields.
 */
const comparableTexts = (one: Entry, other: Entry): readonly [string, string] =>
  one.text === other.text
    ? [one.stream + one.text, other.stream + other.text]
    : [canonicalText(one.parse()), canonicalText(other.parse())];

/** The documents of both editions, sorted by stream; `undefined` if an edition lacks the stream. */
async function* sideBySide(one: Edition<unknown>, other: Edition<unknown>, onPage: () => void) {
  const [left, right] = [entriesOf(one, onPage), entriesOf(other, onPage)];
  let [mine, theirs] = await Promise.all([left.next(), right.next()]);
  while (!mine.done || !theirs.done) {
    const mineFirst = !mine.done && (theirs.done || mine.value.stream <= theirs.value.stream);
    const theirsFirst = !theirs.done && (mine.done || theirs.value.stream <= mine.value.stream);
    yield [mineFirst ? mine.value : undefined, theirsFirst ? theirs.value : undefined] as const;
    if (mineFirst) mine = await left.next();
    if (theirsFirst) theirs = await right.next();
  }
}

/** Requests each page before the caller has compared the previous page, so that the database works meanwhile. */
async function* entriesOf(edition: Edition<unknown>, onPage: () => void): AsyncGenerator<Entry, undefined> {
  let next = edition.storedPage('', PAGE);
  for (;;) {
    const documents = await next;
    onPage();
    const last = documents.at(-1);
    if (!last) return undefined;
    next = edition.storedPage(last.stream, PAGE);
    next.catch(() => undefined); // if the comparison ends early, no code awaits this page
    yield* documents;
  }
}

/** The number of documents on one page. */
const PAGE = 200;
