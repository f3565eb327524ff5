import { sha256 } from './file-check/byte-text';

/** The fingerprint of a verifier key, which a person can compare with one from elsewhere. */
export const fingerprintOf = (verifierKey: string): Promise<string> => sha256(verifierKey);

/** The key that this device has seen before. */
export type RememberedKey = Readonly<{ fingerprint: string; since: string }>;

type DeviceStorage = Pick<Storage, 'getItem' | 'setItem'>;

const nameOf = (scope: string) => `charter-checkpoint-key.${scope}`;

/** @param scope the service of this page, or the store that a file names */
export function rememberedKey(storage: DeviceStorage, scope: string): RememberedKey | undefined {
  try {
    const stored = JSON.parse(storage.getItem(nameOf(scope)) ?? 'null') as Partial<RememberedKey> | null;
    const { fingerprint, since } = stored ?? {};
    return typeof fingerprint === 'string' && typeof since === 'string' ? { fingerprint, since } : undefined;
  } catch {
    return undefined; // the browser keeps no storage for this page, or another page wrote the entry
  }
}

export function rememberKey(storage: DeviceStorage, scope: string, key: RememberedKey): void {
  try {
    storage.setItem(nameOf(scope), JSON.stringify(key));
  } catch {
    // Without storage, the next check again treats the key as new.
  }
}

/** How much the person can rely on the key that signed a file. */
export type KeyTrust =
  | Readonly<{ kind: 'trusted' | 'other-than-pasted' | 'other-than-published' | 'first' }>
  | Readonly<{ kind: 'known' | 'changed'; since: string }>;

/**
 * Compares the key in a file with the keys that the person or the device knows. If the person has pasted a key, only
 * this key decides, because it came from outside this service.
 */
export function trustOf(
  key: Readonly<{ text: string; fingerprint: string }>,
  known: Readonly<{
    pasted?: string | undefined;
    published?: string | undefined;
    remembered?: RememberedKey | undefined;
  }>,
): KeyTrust {
  const { pasted, published, remembered } = known;
  if (pasted) return { kind: pasted === key.text ? 'trusted' : 'other-than-pasted' };
  if (remembered && remembered.fingerprint !== key.fingerprint) return { kind: 'changed', since: remembered.since };
  if (published !== undefined && published !== key.text) return { kind: 'other-than-published' };
  return remembered ? { kind: 'known', since: remembered.since } : { kind: 'first' };
}
