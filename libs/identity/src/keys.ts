import { hash as digest, timingSafeEqual } from 'node:crypto';
import type { Moment } from '@charter/decider';

/** The permissions of a program (`decisions.md`, Who may do what). No key can create keys or act as a person. */
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

/** An API key as it is stored: all but the secret. */
export type KeyRecord = Readonly<{
  id: string;
  /** The public part of the key: lists show it, and the key is found by it. */
  prefix: string;
  /** SHA-256 of the secret, lower-case hex. The secret is random, so a slower hash is not needed. */
  hash: string;
  name: string;
  scopes: readonly Scope[];
  /** The only organization that the key may access; absent: all organizations. */
  organization?: string;
  /** The account that created the key; the key ends with that account. Absent: the command line created the key. */
  madeBy?: string;
  created: Moment;
  expires?: Moment;
  revoked?: Moment;
  /** Its last use, to the minute. */
  used?: Moment;
}>;

export type NewKeyRequest = Pick<KeyRecord, 'name' | 'scopes'> &
  Partial<Pick<KeyRecord, 'organization' | 'expires' | 'madeBy'>>;

/** A source of unpredictable bytes and UUIDs, given by the process. */
export type RandomSource = Readonly<{ bytes: (count: number) => Uint8Array; uuid: () => string }>;

/** Creates a key. `key` is shown once and is not stored. */
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
    created: new Date(now).toISOString(),
    ...(expires !== undefined && { expires }),
  };
  return { key: `${prefix}_${secret}`, record };
}

/** Splits a presented key. Undefined: it does not have the form of our keys. */
export function parseKey(presented: string): { prefix: string; secret: string } | undefined {
  const [, prefix, secret] = /^(chk_[0-9a-f]{12})_([\w-]{43})$/.exec(presented) ?? [];
  return prefix === undefined || secret === undefined ? undefined : { prefix, secret };
}

export type KeyVerdict = 'active' | 'expired' | 'revoked' | 'wrong';

/**
 * Whether a presented secret belongs to the record, and whether the key is still active. Without a record it does equal
 * work, so that the time does not reveal which prefixes exist. Only a caller with the right secret learns that the key
 * is revoked or expired.
 */
export function verifyKey(record: KeyRecord | undefined, secret: string, now: number): KeyVerdict {
  const right = timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(record?.hash ?? noHash));
  if (!record || !right) return 'wrong';
  if (record.revoked !== undefined) return 'revoked';
  return record.expires !== undefined && record.expires <= new Date(now).toISOString() ? 'expired' : 'active';
}

const hashOf = (secret: string) => digest('sha256', secret, 'hex');
const noHash = '0'.repeat(64); // no secret has this hash

/** Stores API keys. */
export interface KeyStore {
  /** False: the account that created it is no longer active, so the key was not stored. */
  insert(record: KeyRecord): Promise<boolean>;
  find(prefix: string): Promise<KeyRecord | undefined>;
  /** All keys or those that an account created, revoked ones too, in the order of creation. */
  list(request?: Readonly<{ madeBy?: string }>): Promise<readonly KeyRecord[]>;
  /** False: there is no such key, or it was revoked before. */
  revoke(id: string, now: number): Promise<boolean>;
  /** Records a use, at most once a minute. */
  touch(id: string, now: number): Promise<void>;
  /** Synchronous `find` for the most frequent routes, where the store can do it. */
  findSync?(prefix: string): KeyRecord | undefined;
  /** Changes whenever a key may have changed, here or in another process, and makes cached keys stale. */
  stamp?(): string;
}
