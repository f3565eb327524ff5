import { verifyAsync } from '@noble/ed25519';
import type { SignatureCheck } from './signed-note';

/**
 * Verifies an Ed25519 signature in browsers that do not support Ed25519, as strictly as browsers that do. Uses the
 * browser's SHA-512.
 */
export const fallbackEd25519: SignatureCheck = (key, signature, text) =>
  verifyAsync(signature, text, key, { zip215: false });
