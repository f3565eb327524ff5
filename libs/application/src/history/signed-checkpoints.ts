import type { SignedHead } from '@charter/database';
import {
  ALL_STREAMS,
  NoteRefused,
  UnknownSigner,
  openCheckpoint,
  rootBuilder,
  type SignedCheckpoint,
  verifierOf,
} from '@charter/integrity';
import type { Charter } from '../charter';

/**
 * Thrown when the stored signed heads do not match their signature. With invalid heads, Charter cannot compare any
 * stream with a signed head.
 */
export class SignedHeadsInvalid extends Error {
  constructor(why: string) {
    super(`The last signed checkpoint is invalid: ${why}.`);
    this.name = 'SignedHeadsInvalid';
  }
}

type Stores = Pick<Charter, 'database' | 'signer'>;

/**
 * Returns the last signed checkpoint over the whole log. This function verifies the checkpoint's signature and the
 * stored heads; `storedHeads` reads the heads. Undefined if no checkpoint was ever signed.
 * @throws SignedHeadsInvalid
 */
export async function lastSignedCheckpoint({ database, signer }: Stores): Promise<SignedCheckpoint | undefined> {
  return withStableNote(database, async (note) => {
    const checkpoint = openOwnCheckpoint(signer, note);
    const sum = headsSummary();
    for await (const head of storedHeads(database)) sum.add(head);
    return sum.is(checkpoint) ? checkpoint : undefined;
  });
}

/**
 * Runs a query against the stored note (the text of the last signed checkpoint). Repeats the query if a process signs
 * another note meanwhile. Returns undefined if there is no note.
 * @param query returns undefined if the stored heads do not match the note
 * @throws SignedHeadsInvalid
 */
export async function withStableNote<Answer>(
  { signedHeads }: Charter['database'],
  query: (note: string) => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  for (let tries = 1; ; tries += 1) {
    const note = await signedHeads.note();
    if (note === undefined) return undefined;
    const answer = await query(note);
    if (answer !== undefined) return answer;
    const isSame = (await signedHeads.note()) === note;
    if (isSame || tries === TRIES_MAX)
      throw new SignedHeadsInvalid('its stored heads were changed after it was signed');
  }
}

const TRIES_MAX = 5;

/**
 * Collects the heads of streams and compares them with a checkpoint. The checkpoint's root hash does not cover each
 * stream's number of events. Each stream's number of events must therefore be at least one, and the sum must equal the
 * number of events in the checkpoint.
 */
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

/**
 * Opens a checkpoint, and checks that this installation's key has signed it over the whole log. An attacker who can
 * write the tables could otherwise store a checkpoint of one stream, for example from an export.
 * @throws SignedHeadsInvalid
 */
export function openOwnCheckpoint({ verifierKey }: Charter['signer'], note: string): SignedCheckpoint {
  try {
    const checkpoint = openCheckpoint(note, verifierOf(verifierKey));
    if (checkpoint.covers === ALL_STREAMS && checkpoint.path === undefined) return checkpoint;
    throw new SignedHeadsInvalid('it does not cover all streams');
  } catch (error) {
    if (!(error instanceof NoteRefused)) throw error;
    const remedy = error instanceof UnknownSigner ? ` ${OTHER_KEY}` : '';
    throw new SignedHeadsInvalid(`${error.message}${remedy}`.replace(/\.$/, ''));
  }
}

const OTHER_KEY =
  'Set CHECKPOINT_KEY to the key that signed the checkpoint. If you have replaced this key, run charter checkpoint sign --anew. ' +
  'Otherwise, an attacker may have replaced the checkpoint.';

/** The stored signed heads, sorted by stream name; none if `database` is undefined. */
export async function* storedHeads(database: Charter['database'] | undefined): AsyncGenerator<SignedHead> {
  if (!database) return;
  for await (const page of storedHeadPages(database)) yield* page;
}

/**
 * Pairs stream names with stored heads; both are sorted by name. The result also contains stored heads whose streams
 * are not in `streams`.
 */
export async function* joinHeads(
  streams: readonly string[],
  stored: AsyncIterable<SignedHead>,
): AsyncGenerator<readonly [stream: string, head: SignedHead | undefined]> {
  let next = 0;
  for await (const head of stored) {
    while (next < streams.length && streams[next]! < head.stream) yield [streams[next++]!, undefined];
    if (streams[next] === head.stream) next += 1;
    yield [head.stream, head];
  }
  for (; next < streams.length; next += 1) yield [streams[next]!, undefined];
}

export async function* storedHeadPages({ signedHeads }: Charter['database']): AsyncGenerator<readonly SignedHead[]> {
  for (let after = ''; ;) {
    const heads = await signedHeads.page(after, PAGE);
    const last = heads.at(-1);
    if (!last) return;
    yield heads;
    after = last.stream;
  }
}

const PAGE = 500;
