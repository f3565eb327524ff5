import { verifyAsync } from '@noble/ed25519';
import type { SignatureCheck } from './signed-note';

/** Verifies without the browser's Ed25519, and as strictly as the browser. Uses the SHA-512 of the browser. */
export const fallbackEd25519: SignatureCheck = (key, signature, text) =>
  verifyAsync(signature, text, key, { zip215: false });
