import type { Metadata, Moment } from '@charter/decider';
import type { Database } from '@charter/database';
import type { EventLog, StoredEvent } from '@charter/event-log';
import type { AccountFact, KeyFact, PlatformRole } from '@charter/identity';
import type { CertificateStore } from '../accounts/erasure-certificates';
import { restoreDetector, revokeAllAccess, endSessions, type RevokedSince } from './older-tables';
import { ERASURE_BOOKMARK, eventsSinceBookmark } from './events-since';

/** How many changes of each kind were in the log but not in the people tables. */
export type ReplayedChanges = Readonly<{
  erased: number;
  disabled: number;
  rolesTaken: number;
  keysRevoked: number;
  passwordsDropped: number;
  /** Accounts whose ended sessions were still in the tables. */
  sessionsEnded: number;
  /**
   * True if the tables are an older copy. Then all sessions, links and changed passwords are revoked, and mails are
   * held.
   */
  restored: boolean;
}>;

type Stores = Readonly<{
  log: EventLog;
  database: Pick<Database, 'people' | 'keys' | 'mails' | 'marks'>;
  /** Stores certificates, because a process that crashed during an erasure may not have stored one. */
  certificates: Pick<CertificateStore, 'keep'>;
}>;

/**
 * Repeats account changes that are in the log but not in the people tables, after a restore or a crash. These are
 * erasures, disabled accounts, removed roles, revoked keys, ended sessions and changed passwords. A changed password is
 * dropped, because the log does not hold it. A replay never grants anything. Reads the events since the bookmark
 * (`acceptance.md` U4, U8).
 * @param upTo milliseconds since 1970: later events may belong to an action in progress in another process
 */
export async function replayAccountChanges(
  { log, database, certificates }: Stores,
  now: number,
  upTo = now,
): Promise<ReplayedChanges> {
  const { events, followed } = await eventsSinceBookmark({ log, database }, upTo);
  const { known, keys, contradicts } = await collectChanges(events, database);
  let [erased, disabled, rolesTaken, keysRevoked, passwordsDropped, sessionsEnded] = [0, 0, 0, 0, 0, 0];
  for (const [id, since] of known) {
    const { isErased, isDisabled, role, passwordOf } = since;
    if (isErased && (await erase(database, id, now))) erased += 1;
    if (isErased) await certificates.keep(id);
    if (passwordOf !== undefined && (await dropPassword(database, id, passwordOf))) passwordsDropped += 1;
    if (!isErased && isDisabled && (await disable(database, id, now))) disabled += 1;
    if (!isErased && role !== undefined && (await lowerRole(database, id, role))) rolesTaken += 1;
    if (await endSessions(database, id, since)) sessionsEnded += 1;
  }
  for (const id of keys) if (await database.keys.revoke(id, now)) keysRevoked += 1;
  const redone = erased + disabled + rolesTaken + keysRevoked + passwordsDropped + sessionsEnded;
  const restored = contradicts || redone > UNFINISHED_MAX;
  if (restored) await revokeAllAccess(database, known, now);
  await followed();
  return { erased, disabled, rolesTaken, keysRevoked, passwordsDropped, sessionsEnded, restored };
}

/**
 * Repeats erasures while the service runs, after a crash during an erasure or after a restore of older tables.
 * @returns the number of repeated erasures
 */
export async function replayErasures({ log, database, certificates }: Stores, now: number): Promise<number> {
  const { events, followed } = await eventsSinceBookmark({ log, database }, Number.POSITIVE_INFINITY, ERASURE_BOOKMARK);
  let erased = 0;
  for await (const { stream, type } of events) {
    if (type !== 'AccountErased') continue;
    if (await erase(database, idIn(stream), now)) erased += 1;
    await certificates.keep(idIn(stream));
  }
  await followed();
  return erased;
}

/**
 * The largest number of unfinished actions that does not mean an older copy. A crash leaves at most one, and another
 * process may be in the middle of one. No safer sign exists: tables from before an action equal tables in which the
 * action never began. Each action is repeated in any case. The number only decides whether access that the log does not
 * record, such as sessions, ends too.
 */
const UNFINISHED_MAX = 2;

async function collectChanges(events: AsyncIterable<StoredEvent>, database: Stores['database']) {
  const known = new Map<string, RevokedSince>();
  const keys = new Set<string>();
  const detector = restoreDetector(database);
  for await (const { stream, type, data, metadata } of events) {
    const [id, fact] = [idIn(stream), { type, data } as AccountFact | KeyFact];
    if (fact.type === 'KeyRevoked') keys.add(id);
    if (!stream.startsWith('account-')) continue;
    const before = known.get(id) ?? {};
    const since = withFact(before, fact, (metadata as Metadata).at);
    if (since !== before) known.set(id, since);
    await detector.check(id, fact as AccountFact);
  }
  return { known, keys, contradicts: await detector.found() };
}

/** Adds a fact to the revoked access of an account. @param at when the fact was recorded: it ends older sessions */
function withFact(since: RevokedSince, fact: AccountFact | KeyFact, at: Moment): RevokedSince {
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

/** Reads before it writes, because most recorded erasures are already done. */
async function erase({ people: { accounts } }: Stores['database'], id: string, now: number): Promise<boolean> {
  const account = await accounts.byId(id);
  return account !== undefined && account.state !== 'erased' && accounts.erase(id, now);
}

async function disable({ people: { accounts } }: Stores['database'], id: string, now: number): Promise<boolean> {
  const account = await accounts.byId(id);
  if (account?.state !== 'active' && account?.state !== 'invited') return false;
  const ending = { sessions: true, links: true, keys: new Date(now).toISOString() } as const;
  return (await accounts.change(id, account.version, { state: 'disabled' }, ending)) === 'changed';
}

/** Drops a password and sessions that are older than the recorded change. */
async function dropPassword({ people: { accounts } }: Stores['database'], id: string, version: number) {
  const account = await accounts.byId(id);
  if (!account || account.state === 'erased' || account.passwordHash === null || account.version > version)
    return false;
  const ending = { sessions: true, links: true } as const;
  return (await accounts.change(id, account.version, { passwordHash: null }, ending)) === 'changed';
}

/** Only lowers a role. If the account should have a higher role, an operator must assign it again. */
async function lowerRole({ people: { accounts } }: Stores['database'], id: string, role: PlatformRole | null) {
  const account = await accounts.byId(id);
  if (!account || rank(role) >= rank(account.role)) return false;
  return (await accounts.change(id, account.version, { role }, { sessions: true })) === 'changed';
}

const rank = (role: PlatformRole | null): number => (role === null ? 0 : role === 'auditor' ? 1 : 2);

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
