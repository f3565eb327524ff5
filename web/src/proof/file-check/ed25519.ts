import type { SignatureCheck } from './signed-note';

/** Thrown if the browser does not offer cryptography (`crypto.subtle`) to this page. */
export class NoCryptography extends Error {}

/**
 * Checks that the browser offers cryptography to this page. Browsers offer no cryptography to pages that were loaded
 * over plain HTTP from another machine.
 * @throws NoCryptography
 */
export function assertCryptography(): void {
  if ((globalThis.crypto as Partial<Crypto> | undefined)?.subtle === undefined)
    throw new NoCryptography('The browser gives no cryptography to this page.');
}

/**
 * Verifies an Ed25519 signature with the browser's own cryptography. Chrome before 137 and Firefox before 129 have no
 * Ed25519, so this function loads the fallback there. @throws an error if the browser cannot load the fallback
 */
export const browserEd25519: SignatureCheck = async (key, signature, text) => {
  let imported: CryptoKey;
  try {
    imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  } catch (error) {
    if (error instanceof Error && error.name === 'DataError') return false; // the key is not a point of the curve
    const { fallbackEd25519 } = await import('./ed25519-fallback');
    return fallbackEd25519(key, signature, text);
  }
  return crypto.subtle.verify('Ed25519', imported, signature, text);
};
