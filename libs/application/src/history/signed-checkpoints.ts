import type { SignedHead } from '@charter/database';
import { NoteRefused, openCheckpoint, rootBuilder, type SignedCheckpoint, verifierOf } from '@charter/integrity';
import type { Charter } from '../charter';

/** What is kept of the last checkpoint is not what was signed, so nothing can be compared with it. */
export class SignedHeadsInvalid extends Error {
  constructor(why: string) {
    super(`The last signed checkpoint is not believed: ${why}.`);
    this.name = 'SignedHeadsInvalid';
  }
}

type Stores = Pick<Charter, 'documents' | 'signer'>;

/**
 * The last signed checkpoint over the whole log, once the signature is ours and the heads that are kept are those that it
 * covers; `headsKept` gives them. Undefined: nothing was ever signed.
 * @throws NotBelieved
 */
export async function lastSignedCheckpoint({ documents, signer }: Stores): Promise<SignedCheckpoint | undefined> {
  return withStableNote(documents, async (note) => {
    const checkpoint = openOwnCheckpoint(signer, note);
    const sum = headsSummary();
    for await (const head of storedHeads(documents)) sum.add(head);
    return sum.is(checkpoint) ? checkpoint : undefined;
  });
}

/**
 * Asks what was signed by the note that is kept; once more if another one is signed meanwhile. Undefined: there is none.
 * @param ask undefined: what is kept is not what was signed
 * @throws NotBelieved
 */
export async function withStableNote<Answer>(
  { signedHeads }: Charter['documents'],
  ask: (note: string) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  for (let tries = 1; ; tries += 1) {
    const note = await signedHeads.note();
    if (note === undefined) return undefined;
    const answer = await ask(note);
    if (answer !== undefined) return answer;
    const isSame = (await signedHeads.note()) === note;
    if (isSame || tries === TRIES_MAX) throw new SignedHeadsInvalid('where streams ended then was changed since');
  }
}

const TRIES_MAX = 5;

/** What heads amount to. How many events each has is not in the root: but it is one at least, and in all as many as signed. */
export function headsSummary() {
  const over = rootBuilder();
  let events = 0;
  let isSound = true;
  return {
    add: (head: SignedHead): void => {
      over.add(head);
      events += head.events;
      isSound &&= Number.isSafeInteger(head.events) && head.events > 0;
    },
    is: (checkpoint: SignedCheckpoint): boolean =>
      isSound && checkpoint.events === events && checkpoint.root === over.root(),
  };
}

/** @throws NotBelieved */
export function openOwnCheckpoint({ verifierKey }: Charter['signer'], note: string): SignedCheckpoint {
  try {
    return openCheckpoint(note, verifierOf(verifierKey));
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    throw new SignedHeadsInvalid(error.message.replace(/\.$/, ''));
  }
}

/** Where each stream ended, in the order of their names; none of no tables. */
export async function* storedHeads(documents: Charter['documents'] | undefined): AsyncGenerator<SignedHead> {
  if (!documents) return;
  for await (const page of storedHeadPages(documents)) yield* page;
}

/** Streams by their names, in order, and beside them where each ended, if that is kept; and those of which only that is. */
export async function* joinHeads(
  streams: readonly string[],
  kept: AsyncIterable<SignedHead>,
): AsyncGenerator<readonly [stream: string, head: SignedHead | undefined]> {
  let next = 0;
  for await (const head of kept) {
    while (next < streams.length && streams[next]! < head.stream) yield [streams[next++]!, undefined];
    if (streams[next] === head.stream) next += 1;
    yield [head.stream, head];
  }
  for (; next < streams.length; next += 1) yield [streams[next]!, undefined];
}

export async function* storedHeadPages({ signedHeads }: Charter['documents']): AsyncGenerator<readonly SignedHead[]> {
  for (let after = ''; ;) {
    const heads = await signedHeads.page(after, PAGE);
    const last = heads.at(-1);
    if (!last) return;
    yield heads;
    after = last.stream;
  }
}

const PAGE = 500;
