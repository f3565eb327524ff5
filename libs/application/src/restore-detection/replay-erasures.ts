import type { Metadata, Moment } from '@charter/decider';
import type { Database } from '@charter/database';
import type { EventLog, StoredEvent } from '@charter/event-log';
import type { AccountFact, KeyFact, PlatformRole } from '@charter/identity';
import type { CertificateStore } from '../accounts/erasure-certificates';
import { restoreDetector, revokeAllAccess, endSessions, type RevokedSince } from './older-tables';
import { ERASURE_BOOKMARK, eventsSinceBookmark } from './events-since';

/** How many changes of each kind the log had and the people tables lacked. */
export type ReplayedChanges = Readonly<{
  erased: number;
  disabled: number;
  rolesTaken: number;
  keysRevoked: number;
  passwordsDropped: number;
  /** Accounts with sessions that had ended. */
  sessionsEnded: number;
  /** The tables are an older copy: all sessions, links and changed passwords are revoked, and mails are held. */
  restored: boolean;
}>;

type Stores = Readonly<{
  log: EventLog;
  database: Pick<Database, 'people' | 'keys' | 'mails' | 'marks'>;
  /** A process that crashed during an erasure may not have stored its certificate. */
  certificates: Pick<CertificateStore, 'keep'>;
}>;

/**
 * Repeats account changes that the log has and the people tables lack, after a restore or a crash: erasures, disabled
 * accounts, removed roles, revoked keys, ended sessions, and changed passwords, which are dropped because the log does
 * not hold them. It never grants anything. Reads the events since the bookmark (`acceptance.md` U4, U8).
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
 * Repeats erasures while the service runs, after a crash during one or a change of the database.
 * @returns how many
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
 * A crash leaves one unfinished action at most, and another process may be in the middle of one; more mean an older
 * copy. No other sign is safer: tables from before an action equal tables that the action never reached. Each action is
 * repeated by itself in any case. The count only decides whether unrecorded things, such as sessions, end too.
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

/** @param at when it was recorded: older sessions have ended with it */
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

/** Reads before it writes, because most recorded erasures are done already. */
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

/** Only lowers a role. An operator must give back a higher one. */
async function lowerRole({ people: { accounts } }: Stores['database'], id: string, role: PlatformRole | null) {
  const account = await accounts.byId(id);
  if (!account || rank(role) >= rank(account.role)) return false;
  return (await accounts.change(id, account.version, { role }, { sessions: true })) === 'changed';
}

const rank = (role: PlatformRole | null): number => (role === null ? 0 : role === 'auditor' ? 1 : 2);

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
