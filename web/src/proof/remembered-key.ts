import { sha256 } from './file-check/byte-text';

/** The fingerprint of a verifier key. A person can compare it with a fingerprint from another source. */
export const fingerprintOf = (verifierKey: string): Promise<string> => sha256(verifierKey);

/** The fingerprint of the service's key that this device has stored, and when the device stored it. */
export type RememberedKey = Readonly<{ fingerprint: string; since: string }>;

const NAME = 'charter-checkpoint-key.service';

export function rememberedKey(): RememberedKey | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(NAME) ?? 'null') as Partial<RememberedKey> | null;
    const { fingerprint, since } = stored ?? {};
    return typeof fingerprint === 'string' && typeof since === 'string' ? { fingerprint, since } : undefined;
  } catch {
    return undefined; // the browser gives no storage to this page, or another page wrote the entry
  }
}

export function rememberKey(key: RememberedKey): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(key));
  } catch {
    // Without storage, the next check again treats the key as new.
  }
}

/** How much the person can rely on the key that signed a file. */
export type KeyTrust =
  | Readonly<{ kind: 'trusted' | 'other-than-pasted' | 'other-than-published' | 'first' | 'not-trusted' }>
  | Readonly<{ kind: 'known' | 'changed'; since: string }>;

/**
 * Compares the key in a file with the keys that the person or the device knows. If the person has pasted a key, only
 * this key decides, because it came from outside this service. Without any known key, the key is not trusted: an
 * attacker can sign a forged file with a key of their own.
 * @param known `pasted` is empty if the person has pasted nothing, and undefined if the pasted text is no key
 */
export function trustOf(
  key: Readonly<{ text: string; fingerprint: string }>,
  known: Readonly<{
    pasted: string | undefined;
    published?: string | undefined;
    remembered?: RememberedKey | undefined;
  }>,
): KeyTrust {
  const { pasted, published, remembered } = known;
  if (pasted === undefined) return { kind: 'not-trusted' };
  if (pasted) return { kind: pasted === key.text ? 'trusted' : 'other-than-pasted' };
  if (remembered && remembered.fingerprint !== key.fingerprint) return { kind: 'changed', since: remembered.since };
  if (published !== undefined && published !== key.text) return { kind: 'other-than-published' };
  if (remembered) return { kind: 'known', since: remembered.since };
  return { kind: published === undefined ? 'not-trusted' : 'first' };
}
