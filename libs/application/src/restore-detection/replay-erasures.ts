import type { Metadata, Moment } from '@charter/decider';
import type { Database } from '@charter/database';
import type { EventLog, StoredEvent } from '@charter/event-log';
import type { AccountFact, KeyFact, PlatformRole } from '@charter/identity';
import type { CertificateStore } from '../accounts/erasure-certificates';
import { restoreDetector, revokeAllAccess, endSessions, type RevokedSince } from './older-tables';
import { ERASURE_BOOKMARK, eventsSinceBookmark } from './events-since';

/** What the log knew and the tables of people did not: how many of each were done again. */
export type ReplayedChanges = Readonly<{
  erased: number;
  disabled: number;
  rolesTaken: number;
  keysRevoked: number;
  passwordsDropped: number;
  /** How many accounts had sessions that have ended. */
  sessionsEnded: number;
  /** The tables are an older copy: all sessions and links have ended, passwords that were changed since, and mails wait. */
  restored: boolean;
}>;

type Stores = Readonly<{
  log: EventLog;
  documents: Pick<Database, 'people' | 'keys' | 'mails' | 'marks'>;
  /** Whoever died while erasing has kept none. */
  certificates: Pick<CertificateStore, 'keep'>;
}>;

/**
 * Does again what the log knows and the tables of people do not, because an older copy of them was restored, or because
 * whoever was at it died: erasures, accounts that were disabled, roles that were taken, keys that were revoked,
 * sessions that were ended, passwords that were changed, of which the log knows only that they are good no more. Nothing is ever given. Reads what was told since the last time (`acceptance.md` U4, U8).
 * @param upTo milliseconds since 1970: what was told later may be under way in another process
 */
export async function replayAccountChanges(
  { log, documents, certificates }: Stores,
  now: number,
  upTo = now,
): Promise<ReplayedChanges> {
  const { events, followed } = await eventsSinceBookmark({ log, documents }, upTo);
  const { known, keys, contradicts } = await gathered(events, documents);
  let [erased, disabled, rolesTaken, keysRevoked, passwordsDropped, sessionsEnded] = [0, 0, 0, 0, 0, 0];
  for (const [id, since] of known) {
    const { isErased, isDisabled, role, passwordOf } = since;
    if (isErased && (await erase(documents, id, now))) erased += 1;
    if (isErased) await certificates.keep(id);
    if (passwordOf !== undefined && (await dropPassword(documents, id, passwordOf))) passwordsDropped += 1;
    if (!isErased && isDisabled && (await disable(documents, id, now))) disabled += 1;
    if (!isErased && role !== undefined && (await takeRole(documents, id, role))) rolesTaken += 1;
    if (await endSessions(documents, id, since)) sessionsEnded += 1;
  }
  for (const id of keys) if (await documents.keys.revoke(id, now)) keysRevoked += 1;
  const redone = erased + disabled + rolesTaken + keysRevoked + passwordsDropped + sessionsEnded;
  const restored = contradicts || redone > UNFINISHED_MAX;
  if (restored) await revokeAllAccess(documents, known, now);
  await followed();
  return { erased, disabled, rolesTaken, keysRevoked, passwordsDropped, sessionsEnded, restored };
}

/**
 * The erasures alone, while the service runs: whoever died in the middle of one, or a database that was exchanged under it.
 * Answers with how many.
 */
export async function replayErasures({ log, documents, certificates }: Stores, now: number): Promise<number> {
  const { events, followed } = await eventsSinceBookmark(
    { log, documents },
    Number.POSITIVE_INFINITY,
    ERASURE_BOOKMARK,
  );
  let erased = 0;
  for await (const { stream, type } of events) {
    if (type !== 'AccountErased') continue;
    if (await erase(documents, idIn(stream), now)) erased += 1;
    await certificates.keep(idIn(stream));
  }
  await followed();
  return erased;
}

/**
 * A process that dies leaves one act half done at most, and another may be in the middle of one: no sign of an older copy. No
 * other sign would be surer: tables of before an act and tables that it never reached are the same to the last byte. So each
 * act is done again by itself, and the count says only whether what nobody told of, such as sessions, ends with them.
 */
const UNFINISHED_MAX = 2;

async function gathered(events: AsyncIterable<StoredEvent>, documents: Stores['documents']) {
  const known = new Map<string, RevokedSince>();
  const keys = new Set<string>();
  const contradictions = restoreDetector(documents);
  for await (const { stream, type, data, metadata } of events) {
    const [id, fact] = [idIn(stream), { type, data } as AccountFact | KeyFact];
    if (fact.type === 'KeyRevoked') keys.add(id);
    if (!stream.startsWith('account-')) continue;
    const before = known.get(id) ?? {};
    const since = learned(before, fact, (metadata as Metadata).at);
    if (since !== before) known.set(id, since);
    await contradictions.see(id, fact as AccountFact);
  }
  return { known, keys, contradicts: await contradictions.found() };
}

/** @param at when it was told: older sessions have ended with it */
function learned(since: RevokedSince, fact: AccountFact | KeyFact, at: Moment): RevokedSince {
  switch (fact.type) {
    case 'AccountErased':
      return { isErased: true };
    case 'AccountDisabled':
      return { ...since, isDisabled: true, endedBefore: at };
    case 'AccountEnabled':
      return { ...since, isDisabled: false };
    case 'RoleAssigned':
      return { ...since, role: fact.data.role, endedBefore: at };
    case 'PasswordChanged':
    case 'PasswordReset':
    case 'PasswordDropped':
      return {
        ...since,
        passwordChanged: true,
        ...(fact.data.version === undefined ? { endedBefore: at } : { passwordOf: fact.data.version }),
      };
    case 'EmailChanged':
      return { ...since, emailChanged: true, endedBefore: at };
    case 'SessionsEnded': {
      const { session, others } = fact.data;
      if (session !== undefined) return { ...since, endedSessions: [...(since.endedSessions ?? []), session] };
      return others ? { ...since, othersEndedBefore: at } : { ...since, endedBefore: at };
    }
    default:
      return since;
  }
}

/** Looks before it writes: most of those that were ever erased are. */
async function erase({ people: { accounts } }: Stores['documents'], id: string, now: number): Promise<boolean> {
  const account = await accounts.byId(id);
  return account !== undefined && account.state !== 'erased' && accounts.erase(id, now);
}

async function disable({ people: { accounts } }: Stores['documents'], id: string, now: number): Promise<boolean> {
  const account = await accounts.byId(id);
  if (account?.state !== 'active' && account?.state !== 'invited') return false;
  const ending = { sessions: true, links: true, keys: new Date(now).toISOString() } as const;
  return (await accounts.change(id, account.version, { state: 'disabled' }, ending)) === 'changed';
}

/** The account is what it was when the password was to be changed: the one that it has is good no more, nor is a session. */
async function dropPassword({ people: { accounts } }: Stores['documents'], id: string, version: number) {
  const account = await accounts.byId(id);
  if (!account || account.state === 'erased' || account.passwordHash === null || account.version > version)
    return false;
  const ending = { sessions: true, links: true } as const;
  return (await accounts.change(id, account.version, { passwordHash: null }, ending)) === 'changed';
}

/** Never gives one: who had less than the log says now is given it again by an operator. */
async function takeRole({ people: { accounts } }: Stores['documents'], id: string, role: PlatformRole | null) {
  const account = await accounts.byId(id);
  if (!account || rank(role) >= rank(account.role)) return false;
  return (await accounts.change(id, account.version, { role }, { sessions: true })) === 'changed';
}

const rank = (role: PlatformRole | null): number => (role === null ? 0 : role === 'auditor' ? 1 : 2);

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
