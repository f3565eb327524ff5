import { createHash } from 'node:crypto';
import type { Message } from '@charter/decider';
import type { DocumentFingerprint, Edition } from '../document-store';
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
    mine: DocumentFingerprint | undefined,
    theirs: DocumentFingerprint | undefined,
  ): Promise<DocumentDifference | undefined> => {
    if (mine?.revision !== theirs?.revision) return differenceOf((mine ?? theirs)!.stream);
    const texts = await comparableTexts(mine!, theirs!);
    if (!texts) return differenceOf(mine!.stream);
    const [stored, made] = texts;
    liveHash.update(stored);
    hash.update(made);
    counts.equal += stored === made ? 1 : 0;
    if (stored === made) return undefined;
    const { stream, revision } = mine!;
    return { stream, revision, why: 'the document is not what a replay of its stream gives' };
  };
  /**
   * Two texts that are equal exactly if the documents are equal. Nearly all documents have equal fingerprints. So the
   * function reads documents only if their fingerprints differ, for example because their fields have another order.
   * Returns `undefined` if the documents have different revisions by now.
   */
  const comparableTexts = async (mine: DocumentFingerprint, theirs: DocumentFingerprint) => {
    const { stream } = mine;
    if (mine.hash === theirs.hash) return [stream + mine.hash, stream + theirs.hash] as const;
    const [stored, made] = await Promise.all([documentIn(live, stream), documentIn(built, stream)]);
    if (stored?.document.revision !== made?.document.revision) return undefined;
    return [canonicalText(stored), canonicalText(made)] as const;
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

async function documentIn(edition: Edition<unknown>, stream: string) {
  const [document] = (await edition.page(stream, 1, 'inclusive')).documents;
  return document?.stream === stream ? document : undefined;
}

/** The fingerprints in both editions, sorted by stream; `undefined` if an edition lacks the stream. */
async function* sideBySide(one: Edition<unknown>, other: Edition<unknown>, onPage: () => void) {
  const [left, right] = [fingerprintsOf(one, onPage), fingerprintsOf(other, onPage)];
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
async function* fingerprintsOf(
  edition: Edition<unknown>,
  onPage: () => void,
): AsyncGenerator<DocumentFingerprint, undefined> {
  let next = edition.fingerprints('', PAGE);
  for (;;) {
    const page = await next;
    onPage();
    const last = page.at(-1);
    if (!last) return undefined;
    next = edition.fingerprints(last.stream, PAGE);
    next.catch(() => undefined); // if the comparison ends early, no code awaits this page
    yield* page;
  }
}

/** The number of fingerprints on one page. */
const PAGE = 200;
