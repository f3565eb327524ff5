import type { Charter } from '../charter';
import { SignedHeadsInvalid } from './signed-checkpoints';
import { signedStreamOf } from './signed-head';

/** The moment of the last signed checkpoint, and the number of a stream's events that the checkpoint covers. */
export type SignedPart = Readonly<{ at: string; events: number }>;

/**
 * Returns the signed part of a stream. Null if no checkpoint covers the stream, or if the stored checkpoint is invalid;
 * a verification reports an invalid checkpoint.
 */
export async function signedPartOf(
  stores: Pick<Charter, 'database' | 'signer'>,
  stream: string,
): Promise<SignedPart | null> {
  try {
    const last = await signedStreamOf(stores, stream);
    return last?.head ? { at: last.checkpoint.at, events: last.head.events } : null;
  } catch (error) {
    if (error instanceof SignedHeadsInvalid) return null;
    throw error;
  }
}
