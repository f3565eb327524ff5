import type { SignatureCheck } from './signed-note';

/** Thrown if the browser has no Ed25519, or gives no cryptography to this page. */
export class NoCryptography extends Error {}

/** Browsers give no cryptography to pages that came over plain HTTP from another machine. @throws NoCryptography */
export function assertCryptography(): void {
  if ((globalThis.crypto as Partial<Crypto> | undefined)?.subtle === undefined)
    throw new NoCryptography('The browser gives no cryptography to this page.');
}

/** Verifies with the browser's own cryptography. @throws NoCryptography */
export const browserEd25519: SignatureCheck = async (key, signature, text) => {
  let imported: CryptoKey;
  try {
    imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'DataError') return false; // not a point of the curve
    throw new NoCryptography('This browser cannot verify Ed25519 signatures.', { cause });
  }
  return crypto.subtle.verify('Ed25519', imported, signature, text);
};
