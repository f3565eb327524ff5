import type { SignedHead } from '@charter/documents';
import { NoteRefused, openCheckpoint, rootOver, type SignedCheckpoint, verifierOf } from '@charter/event-log';
import type { Charter } from './charter';

/** The last signed checkpoint over the whole log, and where each stream ended then. */
export type LastSigned = Readonly<{
  note: string;
  checkpoint: SignedCheckpoint;
  /** Streams that were asked for, where they were there. */
  heads: ReadonlyMap<string, SignedHead>;
}>;

/** What is kept of the last checkpoint is not what was signed, so nothing can be compared with it. */
export class NotBelieved extends Error {
  constructor(why: string) {
    super(`The last signed checkpoint is not believed: ${why}.`);
    this.name = 'NotBelieved';
  }
}

/**
 * What was last signed, once the signature is ours and the heads that are kept are those that it covers. Undefined: nothing
 * was ever signed.
 * @param wanted the streams whose heads are wanted; undefined: of all
 * @throws NotBelieved
 */
export async function lastSigned(
  { documents, signer }: Pick<Charter, 'documents' | 'signer'>,
  wanted?: ReadonlySet<string>,
): Promise<LastSigned | undefined> {
  for (let tries = 1; ; tries += 1) {
    const note = await documents.signedHeads.note();
    if (note === undefined) return undefined;
    const over = rootOver();
    const heads = new Map<string, SignedHead>();
    for await (const head of headsKept(documents)) {
      over.add(head);
      if (wanted?.has(head.stream) ?? true) heads.set(head.stream, head);
    }
    const checkpoint = openedBy(signer, note);
    if (checkpoint.root === over.root()) return { note, checkpoint, heads };
    const isSame = (await documents.signedHeads.note()) === note; // or it was signed anew meanwhile
    if (isSame || tries === TRIES_MAX) throw new NotBelieved('where streams ended then was changed since');
  }
}

const TRIES_MAX = 5;

/** @throws NotBelieved */
export function openedBy({ verifierKey }: Charter['signer'], note: string): SignedCheckpoint {
  try {
    return openCheckpoint(note, verifierOf(verifierKey));
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    throw new NotBelieved(error.message.replace(/\.$/, ''));
  }
}

/** Where each stream ended, in the order of their names. */
export async function* headsKept({ signedHeads }: Charter['documents']): AsyncGenerator<SignedHead> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const heads: readonly SignedHead[] = await signedHeads.page(after, PAGE);
    yield* heads;
    after = heads.at(-1)?.stream;
  }
}

const PAGE = 500;
