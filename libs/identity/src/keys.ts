import { hash as digest, timingSafeEqual } from 'node:crypto';
import { type Moment, momentAt } from '@charter/decider';

/**
 * The permissions of a program that uses an API key (`decisions.md`, Who may do what). No API key can create keys or
 * act as a person.
 */
export const scopes = [
  'organizations:read',
  'organizations:write',
  'organizations:operate',
  'billing:write',
  'audit:read',
  'flags:read',
] as const;
export type Scope = (typeof scopes)[number];
export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);

/** The stored form of an API key, without its secret. */
export type KeyRecord = Readonly<{
  id: string;
  /** The public part of the key. Lists show this part, and Charter finds the key by this part. */
  prefix: string;
  /** The SHA-256 of the secret in lower-case hex. The secret is random, so Charter needs no slow hash. */
  hash: string;
  name: string;
  scopes: readonly Scope[];
  /** The only organization that the key may access; if absent, the key may access all organizations. */
  organization?: string;
  /**
   * The account that created the key. The key is revoked when that account is disabled or erased, or when its platform
   * role changes. Absent if the command line created the key.
   */
  madeBy?: string;
  created: Moment;
  expires?: Moment;
  revoked?: Moment;
  /** The minute in which the key was last used. */
  used?: Moment;
}>;

export type NewKeyRequest = Pick<KeyRecord, 'name' | 'scopes'> &
  Partial<Pick<KeyRecord, 'organization' | 'expires' | 'madeBy'>>;

/**
 * A source of unpredictable bytes and UUIDs. The process passes this source to each function that needs random values.
 */
export type RandomSource = Readonly<{ bytes: (count: number) => Uint8Array; uuid: () => string }>;

/**
 * Creates an API key. `key` contains the secret: the caller shows the secret once, and Charter does not store the
 * secret.
 */
export function newKey(request: NewKeyRequest, random: RandomSource, now: number): { key: string; record: KeyRecord } {
  const prefix = `chk_${Buffer.from(random.bytes(6)).toString('hex')}`;
  const secret = Buffer.from(random.bytes(32)).toString('base64url');
  const { name, scopes: granted, organization, expires, madeBy } = request;
  const record: KeyRecord = {
    id: random.uuid(),
    prefix,
    hash: hashOf(secret),
    name,
    scopes: scopes.filter((scope) => granted.includes(scope)),
    ...(organization !== undefined && { organization }),
    ...(madeBy !== undefined && { madeBy }),
    created: momentAt(now),
    ...(expires !== undefined && { expires }),
  };
  return { key: `${prefix}_${secret}`, record };
}

/**
 * Splits the text of an API key into its public prefix and its secret. Undefined if the text does not have the form of
 * Charter's keys.
 */
export function parseKey(presented: string): { prefix: string; secret: string } | undefined {
  const [, prefix, secret] = /^(chk_[0-9a-f]{12})_([\w-]{43})$/.exec(presented) ?? [];
  return prefix === undefined || secret === undefined ? undefined : { prefix, secret };
}

export type KeyVerdict = 'active' | 'expired' | 'revoked' | 'wrong';

/**
 * Whether a secret from a request belongs to the record, and whether the key is still active. The check takes the same
 * time without a record, so that the duration of the check does not reveal which prefixes exist. Only a caller with the
 * correct secret learns that the key is revoked or expired.
 */
export function verifyKey(record: KeyRecord | undefined, secret: string, now: number): KeyVerdict {
  const right = timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(record?.hash ?? noHash));
  if (!record || !right) return 'wrong';
  if (record.revoked !== undefined) return 'revoked';
  return record.expires !== undefined && record.expires <= momentAt(now) ? 'expired' : 'active';
}

const hashOf = (secret: string) => digest('sha256', secret, 'hex');
const noHash = '0'.repeat(64); // no known secret has this hash

/** Stores API keys. */
export interface KeyStore {
  /** Returns false, and stores nothing, if the account that created the key is no longer an active operator. */
  insert(record: KeyRecord): Promise<boolean>;
  find(prefix: string): Promise<KeyRecord | undefined>;
  /**
   * All keys, or all keys that one account created, in the order of creation. Revoked keys are included. The list
   * begins after the key `after`.
   */
  list(
    request?: Readonly<{
      madeBy?: string;
      after?: Pick<KeyRecord, 'created' | 'id'> | undefined;
      limit?: number;
    }>,
  ): Promise<readonly KeyRecord[]>;
  byIds(ids: readonly string[]): Promise<readonly KeyRecord[]>;
  /** Returns false if the key does not exist or is already revoked. */
  revoke(id: string, now: number): Promise<boolean>;
  /** Records that the key was used, at most once a minute. */
  touch(id: string, now: number): Promise<void>;
  /**
   * A text that changes whenever this process or another process may have changed a key. The caller must then read
   * cached keys again. Undefined if the stamp is unknown.
   */
  stamp?(): string | undefined;
}
