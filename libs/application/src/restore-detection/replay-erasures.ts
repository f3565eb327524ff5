import { type Moment, momentAt } from '@charter/decider';
import type { Database } from '@charter/database';
import { contentOf, type EventLog, metadataOf, type StoredEvent } from '@charter/event-log';
import { type AccountFact, auditFactFlaw, type KeyFact, type PlatformRole } from '@charter/identity';
import { certifyErasures } from '../accounts/certify-erasures';
import type { CertificateStore } from '../accounts/erasure-certificates';
import { changeCurrentAccount, restoreDetector, revokeAllAccess, endSessions, type RevokedSince } from './older-tables';
import { ERASURE_BOOKMARK, eventsSinceBookmark, type EventsSince } from './events-since';

/** The number of changes of each kind that the log contained and the people tables lacked. */
export type ReplayedChanges = Readonly<{
  erased: number;
  disabled: number;
  rolesTaken: number;
  keysRevoked: number;
  passwordsDropped: number;
  /** The number of accounts whose ended sessions were still in the tables. */
  sessionsEnded: number;
  /**
   * True if the tables are an older copy or a backup. The replay then ends all sessions and mailed links, and holds
   * waiting mails. In an older copy, it also removes changed passwords.
   */
  restored: boolean;
  /** If the purge failed, the sentence in `remains` of `PurgeResult`. The replay has then stored no certificate. */
  purgeFailed: string | null;
  /**
   * Events without a moment, which another tool wrote, or events whose data does not fit their type. The replay skips
   * events without a moment or with wrong data.
   */
  unreadable: readonly UnreadableFact[];
}>;
type UnreadableFact = Readonly<{ stream: string; revision: string; type: string }>;

type Stores = Readonly<{
  log: EventLog;
  database: Pick<Database, 'people' | 'keys' | 'mails' | 'marks' | 'purgeErased'>;
  /** Stores the certificate of each erasure, because a process may have crashed before it stored the certificate. */
  certificates: Pick<CertificateStore, 'keep'>;
}>;

/**
 * After a restore or a crash, repeats account changes that the log contains and the people tables lack. The repeated
 * changes are erasures, disabled accounts, removed roles, revoked keys, ended sessions and changed passwords. If a
 * password was changed, the replay removes the older password; the log does not contain the new password. A replay
 * never grants access. A replay reads the events after the bookmark (`acceptance.md` U4, U8).
 * @param upTo milliseconds since 1970. Another process may still be making the later changes, so this replay repeats
 * only the erasures among them. It repeats no older change of a state or a role that a later change replaces.
 * @param isBackup whether the tables are a restored backup, which may agree with the log
 */
export async function replayAccountChanges(
  { log, database, certificates }: Stores,
  now: number,
  { upTo = now, isBackup = false } = {},
): Promise<ReplayedChanges> {
  const since = await eventsSinceBookmark({ log, database }, upTo);
  const { known, keys, contradicts, unreadable } = await collectChanges(since, database);
  let [erased, disabled, rolesTaken, keysRevoked, passwordsDropped, sessionsEnded] = [0, 0, 0, 0, 0, 0];
  for (const [id, changes] of known) {
    const { isErased, isDisabled, role, passwordOf } = changes;
    if (isErased && (await erase(database, id, now))) erased += 1;
    if (passwordOf !== undefined && (await dropPassword(database, id, passwordOf))) passwordsDropped += 1;
    if (!isErased && isDisabled && (await disable(database, id, now))) disabled += 1;
    if (!isErased && role !== undefined && (await lowerRole(database, id, role, now))) rolesTaken += 1;
    if (await endSessions(database, id, changes)) sessionsEnded += 1;
  }
  for (const id of keys) if (await database.keys.revoke(id, now)) keysRevoked += 1;
  const redone = erased + disabled + rolesTaken + keysRevoked + passwordsDropped + sessionsEnded;
  const isOlder = contradicts || redone > UNFINISHED_MAX;
  const restored = isOlder || isBackup;
  if (restored) await revokeAllAccess(database, isOlder ? known : new Map(), now);
  const erasedIds = [...known].flatMap(([id, { isErased }]) => (isErased ? [id] : []));
  const { outcome, remains } = await certifyErasures({ database, certificates }, erasedIds);
  const purgeFailed = outcome === 'failed' ? remains : null;
  if (outcome !== 'failed') await since.moveBookmark();
  const counts = { erased, disabled, rolesTaken, keysRevoked, passwordsDropped, sessionsEnded };
  return { ...counts, restored, purgeFailed, unreadable };
}

/**
 * Repeats erasures that are in the log but not in the tables, for example after a crash or a restore. Also repeats the
 * purge for each erasure in the log, because an earlier purge may have failed. A purge removes erased bytes from the
 * files of the database. The server calls this function while it runs. After a failed purge the bookmark does not move,
 * so that the next call repeats the purge.
 */
export async function replayErasures(
  { log, database, certificates }: Stores,
  now: number,
): Promise<Pick<ReplayedChanges, 'erased' | 'purgeFailed'>> {
  const { events, moveBookmark } = await eventsSinceBookmark(
    { log, database },
    Number.POSITIVE_INFINITY,
    ERASURE_BOOKMARK,
  );
  let erased = 0;
  const ids = new Set<string>();
  for await (const event of events) {
    const { stream, type } = event;
    if (type !== 'AccountErased' || !factIn(event)) continue;
    if (await erase(database, idIn(stream), now)) erased += 1;
    ids.add(idIn(stream));
  }
  const { outcome, remains } = await certifyErasures({ database, certificates }, [...ids], { untilDone: true });
  if (outcome === 'failed') return { erased, purgeFailed: remains };
  await moveBookmark();
  return { erased, purgeFailed: null };
}

/**
 * If the replay must repeat more actions than this number, Charter treats the tables as an older copy. A crash leaves
 * at most one unfinished action, and another process may be executing one action at this moment. No other sign is safer
 * than the number of missing actions, because a crash at the start of an action leaves the same tables as a restored
 * older copy. The replay repeats each unfinished action in any case. The limit only decides whether the replay also
 * revokes access whose end the log does not record, such as sessions.
 */
const UNFINISHED_MAX = 2;

async function collectChanges({ events, isLate }: EventsSince, database: Stores['database']) {
  const known = new Map<string, RevokedSince>();
  const keys = new Set<string>();
  const unreadable: UnreadableFact[] = [];
  const detector = restoreDetector(database);
  for await (const event of events) {
    const { stream, revision, type } = event;
    const [id, recorded] = [idIn(stream), factIn(event)];
    if (!recorded) {
      unreadable.push({ stream, revision: String(revision), type });
      continue;
    }
    const { fact, at } = recorded;
    if (fact.type === 'KeyRevoked' && !isLate()) keys.add(id);
    if (!stream.startsWith('account-')) continue;
    const before = known.get(id) ?? {};
    const since = isLate() ? withLateFact(before, fact) : withFact(before, fact, at);
    if (since !== before) known.set(id, since);
    if (!isLate()) await detector.check(id, fact as AccountFact);
  }
  return { known, keys, unreadable, contradicts: await detector.found() };
}

/** The fact in an event, and the moment at which the fact was recorded; undefined if the event cannot be read. */
function factIn(event: StoredEvent): Readonly<{ fact: AccountFact | KeyFact; at: Moment }> | undefined {
  const [content, { at }] = [contentOf(event), metadataOf(event)];
  const fact = { type: event.type, data: content?.data } as AccountFact | KeyFact;
  return !content || typeof at !== 'string' || auditFactFlaw(fact) ? undefined : { fact, at };
}

/**
 * Adds a recorded fact to the changes of an account.
 * @param at when the fact was recorded; sessions that began before this moment end
 */
function withFact(since: RevokedSince, fact: AccountFact | KeyFact, at: Moment): RevokedSince {
  const end = { before: at, newSessions: new Set<string>() };
  const ended = { ended: end };
  switch (fact.type) {
    case 'AccountErased':
      return { isErased: true };
    case 'AccountDisabled':
      return { ...since, isDisabled: true, ...ended };
    case 'AccountEnabled':
      return { ...since, isDisabled: false };
    case 'RoleAssigned':
      return { ...since, role: fact.data.role, ...ended };
    case 'PasswordChanged':
    case 'PasswordReset':
    case 'PasswordDropped':
      return fact.data.version === undefined
        ? { ...since, passwordChanged: true, ...ended }
        : { ...since, passwordChanged: true, passwordOf: fact.data.version, ...endedByPassword };
    case 'EmailChanged':
      return { ...since, emailChanged: true, ...ended };
    case 'SessionsEnded': {
      const { session, others } = fact.data;
      if (session !== undefined) return { ...since, endedSessions: [...(since.endedSessions ?? []), session] };
      return others ? { ...since, othersEnded: end } : { ...since, ...ended };
    }
    case 'SignedIn':
      for (const earlier of [since.ended, since.othersEnded])
        if (earlier && at <= earlier.before) earlier.newSessions.add(fact.data.session);
      return since;
    default:
      return since;
  }
}

/**
 * A change of a password ends all sessions of the account, so the earlier ends need no replay. If the tables lack the
 * change, `dropPassword` ends the sessions.
 */
const endedByPassword = { ended: undefined, othersEnded: undefined };

/** Adds an erasure. Removes the older state or role that a late change replaces: the next replay repeats the change. */
function withLateFact(since: RevokedSince, fact: AccountFact | KeyFact): RevokedSince {
  switch (fact.type) {
    case 'AccountErased':
      return { isErased: true };
    case 'AccountDisabled':
    case 'AccountEnabled':
      return { ...since, isDisabled: false };
    case 'RoleAssigned':
      return { ...since, role: undefined };
    default:
      return since;
  }
}

/** Reads the account before it writes, because the tables already contain most recorded erasures. */
async function erase({ people: { accounts } }: Stores['database'], id: string, now: number): Promise<boolean> {
  const account = await accounts.byId(id);
  return account !== undefined && account.state !== 'erased' && accounts.erase(id, now);
}

const disable = ({ people: { accounts } }: Stores['database'], id: string, now: number) =>
  changeCurrentAccount(accounts, id, ({ state }) => {
    if (state !== 'active' && state !== 'invited') return undefined;
    return { change: { state: 'disabled' }, ending: { sessions: true, links: true, keys: momentAt(now) } };
  });

/**
 * Removes the password, unless the account has a newer version than the recorded change. Also ends all sessions and
 * mailed links. If the account has no password yet, its links stay, because a link may set the first password.
 */
function dropPassword({ people: { accounts } }: Stores['database'], id: string, lastVersion: number) {
  let dropped: string | null | undefined; // another change of the account may give the same password a newer version
  return changeCurrentAccount(accounts, id, ({ passwordHash, version }) => {
    const isOld = dropped === undefined ? version <= lastVersion : passwordHash === dropped;
    if (!isOld) return undefined;
    dropped = passwordHash;
    return {
      change: { passwordHash: null },
      ending: { sessions: true, ...(passwordHash !== null && { links: true }) },
    };
  });
}

/**
 * Lowers a role to the role in the log, but never raises a role. An operator must assign a higher role. Like the
 * original change of the role, revokes the API keys that the account created with the old role.
 */
const lowerRole = ({ people: { accounts } }: Stores['database'], id: string, role: PlatformRole | null, now: number) =>
  changeCurrentAccount(accounts, id, (account) => {
    if (rank(role) >= rank(account.role)) return undefined;
    return { change: { role }, ending: { sessions: true, keys: momentAt(now) } };
  });

const rank = (role: PlatformRole | null): number => (role === null ? 0 : role === 'auditor' ? 1 : 2);

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);
