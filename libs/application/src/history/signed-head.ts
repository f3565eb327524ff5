import { hash as digest } from 'node:crypto';
import type { SignedHead } from '@charter/database';
import type { SignedCheckpoint } from '@charter/integrity';
import type { Charter } from '../charter';
import { openOwnCheckpoint, storedHeadPages, headsSummary, withStableNote } from './signed-checkpoints';

/**
 * The last signed checkpoint over the whole log, and one stream's head in it. The head is undefined if the checkpoint
 * does not cover the stream.
 */
export type SignedStream = Readonly<{ checkpoint: SignedCheckpoint; head: SignedHead | undefined }>;

/**
 * Returns the last signed head of one stream. For each checkpoint, a process reads and verifies all heads once, and
 * caches a hash of each page of heads. A later call reads only the page that contains the stream, and compares the
 * page's hash.
 * @throws SignedHeadsInvalid
 */
export async function signedStreamOf(
  { database, signer }: Pick<Charter, 'database' | 'signer'>,
  stream: string,
): Promise<SignedStream | undefined> {
  return withStableNote(database, async (note) => {
    const checkpoint = openOwnCheckpoint(signer, note);
    const pages = await verifiedPages(database, note, checkpoint);
    if (!pages) return undefined;
    const page = pages.find(({ last }) => stream <= last);
    if (!page) return { checkpoint, head: undefined };
    const heads = await database.signedHeads.page(page.after, page.size);
    if (hashOf(heads) !== page.hash) return undefined;
    return { checkpoint, head: heads.find((head) => head.stream === stream) };
  });
}

/**
 * A page of heads: `after` is the last stream name on the previous page, `last` is the last stream name on this page.
 * `hash` covers the heads on this page.
 */
type Page = Readonly<{ after: string; last: string; size: number; hash: string }>;
type Pages = readonly Page[];

/** For each database, the verified pages, and the note of the checkpoint that matched these pages. */
const cache = new WeakMap<Charter['database'], Readonly<{ note: string; pages: Promise<Pages | undefined> }>>();

/** Reads and verifies the pages. Returns undefined if the heads do not match the checkpoint. */
async function verifiedPages(database: Charter['database'], note: string, checkpoint: SignedCheckpoint) {
  const cached = cache.get(database);
  if (cached?.note === note) return cached.pages;
  const pages = readPages(database, checkpoint);
  cache.set(database, { note, pages });
  const invalidate = () => {
    if (cache.get(database)?.pages === pages) cache.delete(database);
  };
  const found = await pages.catch((error: unknown) => {
    invalidate();
    throw error;
  });
  if (!found) invalidate();
  return found;
}

async function readPages(database: Charter['database'], checkpoint: SignedCheckpoint): Promise<Pages | undefined> {
  const pages: Page[] = [];
  const sum = headsSummary();
  for await (const heads of storedHeadPages(database)) {
    heads.forEach(sum.add);
    const after = pages.at(-1)?.last ?? '';
    pages.push({ after, last: heads.at(-1)!.stream, size: heads.length, hash: hashOf(heads) });
  }
  return sum.is(checkpoint) ? pages : undefined;
}

const hashOf = (heads: readonly SignedHead[]): string =>
  digest('sha256', JSON.stringify(heads.map(({ stream, events, head }) => [stream, events, head])));
