import { hash as digest } from 'node:crypto';
import type { SignedHead } from '@charter/database';
import type { SignedCheckpoint } from '@charter/integrity';
import type { Charter } from '../charter';
import { openOwnCheckpoint, storedHeadPages, headsSummary, withStableNote } from './signed-checkpoints';

/** The last signed checkpoint over the whole log, and where one stream ended then; undefined: it was not there yet. */
export type SignedStream = Readonly<{ checkpoint: SignedCheckpoint; head: SignedHead | undefined }>;

/**
 * What was last signed of one stream. All heads are read and believed once for each checkpoint in this process; of each page
 * of them its hash is remembered, so afterwards one page is read, and has to be the one that was believed.
 * @throws NotBelieved
 */
export async function signedStreamOf(
  { documents, signer }: Pick<Charter, 'documents' | 'signer'>,
  stream: string,
): Promise<SignedStream | undefined> {
  return withStableNote(documents, async (note) => {
    const checkpoint = openOwnCheckpoint(signer, note);
    const pages = await believedPages(documents, note, checkpoint);
    if (!pages) return undefined;
    const page = pages.find(({ last }) => stream <= last);
    if (!page) return { checkpoint, head: undefined };
    const heads = await documents.signedHeads.page(page.after, page.size);
    if (hashOf(heads) !== page.hash) return undefined;
    return { checkpoint, head: heads.find((head) => head.stream === stream) };
  });
}

/** Heads that lie beside one another: after which name, up to which one, how many, and a hash over them. */
type Page = Readonly<{ after: string; last: string; size: number; hash: string }>;
type Pages = readonly Page[];

/** Of the last checkpoint alone, for each store. */
const remembered = new WeakMap<Charter['documents'], Readonly<{ note: string; pages: Promise<Pages | undefined> }>>();

/** Undefined: they are not what was signed. */
async function believedPages(documents: Charter['documents'], note: string, checkpoint: SignedCheckpoint) {
  const known = remembered.get(documents);
  if (known?.note === note) return known.pages;
  const pages = readPages(documents, checkpoint);
  remembered.set(documents, { note, pages });
  const forget = () => {
    if (remembered.get(documents)?.pages === pages) remembered.delete(documents);
  };
  const found = await pages.catch((error: unknown) => {
    forget();
    throw error;
  });
  if (!found) forget();
  return found;
}

async function readPages(documents: Charter['documents'], checkpoint: SignedCheckpoint): Promise<Pages | undefined> {
  const pages: Page[] = [];
  const sum = headsSummary();
  for await (const heads of storedHeadPages(documents)) {
    heads.forEach(sum.add);
    const after = pages.at(-1)?.last ?? '';
    pages.push({ after, last: heads.at(-1)!.stream, size: heads.length, hash: hashOf(heads) });
  }
  return sum.is(checkpoint) ? pages : undefined;
}

const hashOf = (heads: readonly SignedHead[]): string =>
  digest('sha256', JSON.stringify(heads.map(({ stream, events, head }) => [stream, events, head])));
