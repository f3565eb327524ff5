import { hash as digest, timingSafeEqual } from 'node:crypto';
import type { Moment } from '@charter/decider';

/** What a machine may do, as `decisions.md` has it. No key makes keys, and none acts as a person. */
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

/** An API key as it is stored: everything but the secret. */
export type KeyRecord = Readonly<{
  id: string;
  /** The part that may be shown in lists, and by which a key is found. */
  prefix: string;
  /** SHA-256 of the secret, lower-case hex. The secret is random, so nothing slower is needed. */
  hash: string;
  name: string;
  scopes: readonly Scope[];
  /** The only organization it is good for; absent: all of them. */
  organization?: string;
  /** The account that made it, and that it ends with; absent: the command line. */
  madeBy?: string;
  created: Moment;
  expires?: Moment;
  revoked?: Moment;
  /** Its last use, to the minute. */
  used?: Moment;
}>;

export type NewKeyRequest = Pick<KeyRecord, 'name' | 'scopes'> &
  Partial<Pick<KeyRecord, 'organization' | 'expires' | 'madeBy'>>;

/** Randomness from the edge: so many bytes from a source that nobody can guess. */
export type RandomSource = Readonly<{ bytes: (count: number) => Uint8Array; uuid: () => string }>;

/** A new key. `key` is shown once and then known to nobody here. */
export function newKey(wish: NewKeyRequest, random: RandomSource, now: number): { key: string; record: KeyRecord } {
  const prefix = `chk_${Buffer.from(random.bytes(6)).toString('hex')}`;
  const secret = Buffer.from(random.bytes(32)).toString('base64url');
  const { name, scopes: granted, organization, expires, madeBy } = wish;
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

/** A key as it was presented; nothing if it does not look like one of ours. */
export function parseKey(presented: string): { prefix: string; secret: string } | undefined {
  const [, prefix, secret] = /^(chk_[0-9a-f]{12})_([\w-]{43})$/.exec(presented) ?? [];
  return prefix === undefined || secret === undefined ? undefined : { prefix, secret };
}

export type KeyVerdict = 'active' | 'expired' | 'revoked' | 'wrong';

/**
 * Whether a presented secret is that of the record, and still good. Without a record it does the same work, so that
 * nobody learns from the time which prefixes exist. What a key was is told only to whoever has its secret.
 */
export function verifyKey(record: KeyRecord | undefined, secret: string, now: number): KeyVerdict {
  const right = timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(record?.hash ?? noHash));
  if (!record || !right) return 'wrong';
  if (record.revoked !== undefined) return 'revoked';
  return record.expires !== undefined && record.expires <= new Date(now).toISOString() ? 'expired' : 'active';
}

const hashOf = (secret: string) => digest('sha256', secret, 'hex');
const noHash = '0'.repeat(64); // the hash of nothing that anybody can present

/** Where keys are kept. */
export interface KeyStore {
  /** False: the account that made it is not active any more, so it was not kept. */
  insert(record: KeyRecord): Promise<boolean>;
  find(prefix: string): Promise<KeyRecord | undefined>;
  /** All of them or those that an account made, revoked ones too, in the order in which they were made. */
  list(wish?: Readonly<{ madeBy?: string }>): Promise<readonly KeyRecord[]>;
  /** False: there is no such key, or it was revoked before. */
  revoke(id: string, now: number): Promise<boolean>;
  /** Notes that it was used, at most once a minute. */
  touch(id: string, now: number): Promise<void>;
  /** Without a promise, for the hottest routes; only where the store can. */
  findSync?(prefix: string): KeyRecord | undefined;
  /** Another value whenever a key may have changed, here or in another process: what is remembered is then stale. */
  stamp?(): string;
}
