import { type Moment, momentAt } from '@charter/decider';
import type { Database } from '@charter/database';
import type { Account, AccountChange, AccountFact, AccountStore, PlatformRole, RevokedAccess } from '@charter/identity';

type Tables = Pick<Database, 'people'>;

/** Everything that the events after the bookmark have revoked: passwords, sessions and other ways to use an account. */
export type RevokedSince = {
  isErased?: true;
  isDisabled?: boolean;
  role?: PlatformRole | null | undefined;
  passwordChanged?: true;
  /** The last account version that has the revoked password. Newer versions have another password. */
  passwordOf?: number;
  emailChanged?: true;
  /** The end of all sessions of the account. */
  ended?: SessionsEnd | undefined;
  /** The end of all sessions except the session in which the person ended the other sessions. */
  othersEnded?: SessionsEnd | undefined;
  endedSessions?: readonly string[];
};

/**
 * The account's sessions that began before this moment must end, except `newSessions`. These are the sessions whose
 * sign-in follows the end in the log, although its recorded moment is not later: the clock was set back
 * (`acceptance.md` N8).
 */
type SessionsEnd = Readonly<{ before: Moment; newSessions: Set<string> }>;

/**
 * Detects that older tables were restored. Older tables lack an account whose creation the log contains, or contain a
 * session whose sign-out the log contains. Only account creations and sign-outs prove a restore, because Charter
 * changes the tables before it appends these two types of events. An event of another type may belong to an action that
 * a crash stopped. `check` also ends, in batches, the sessions whose sign-out the log contains.
 */
export function restoreDetector({ people: { accounts, sessions } }: Tables) {
  let contradicts = false;
  let signedOut: string[] = [];
  const endSignedOut = async () => {
    if ((await sessions.endThose(signedOut)) > 0) contradicts = true;
    signedOut = [];
  };

  const check = async (id: string, fact: AccountFact): Promise<void> => {
    if (fact.type === 'AccountCreated') contradicts ||= (await accounts.byId(id)) === undefined;
    else if (fact.type === 'SignedOut') signedOut.push(fact.data.session);
    if (signedOut.length >= PAGE) await endSignedOut();
  };
  const found = async () => {
    await endSignedOut();
    return contradicts;
  };
  return { check, found };
}

/**
 * Ends an account's stored sessions whose end the log contains. If the person ended all other sessions, the event does
 * not name the session that stayed. If several older sessions exist, the session that stayed therefore ends too.
 */
export async function endSessions({ people: { sessions } }: Tables, id: string, known: RevokedSince): Promise<boolean> {
  const { ended, othersEnded, endedSessions = [] } = known;
  if (!ended && !othersEnded && endedSessions.length === 0) return false;
  const live = await sessions.listOf(id, '');
  const isBefore = (end: SessionsEnd | undefined) => (session: Readonly<{ id: string; began: Moment }>) =>
    end !== undefined && session.began < end.before && !end.newSessions.has(session.id);
  const older = live.filter(isBefore(othersEnded));
  const over = live.filter((session) => isBefore(ended)(session) || endedSessions.includes(session.id));
  const ids = [...over, ...(older.length > 1 ? older : [])].map((session) => session.id);
  return (await sessions.endThose(ids)) > 0;
}

const PAGE = 500;

/**
 * Revokes all access that ended after the backup and that the restored tables may grant again. Ends every session and
 * every mailed link, because the log does not record the end of every session and link. If a password was changed after
 * the backup, removes the restored older password. Disables each account whose address was changed after the backup,
 * because the restored address may belong to another person. An operator must check the disabled accounts. Also holds
 * all waiting mails until an operator releases the mails.
 */
export async function revokeAllAccess(
  { people: { accounts, sessions, links }, mails }: Pick<Database, 'people' | 'mails'>,
  known: ReadonlyMap<string, RevokedSince>,
  now: number,
): Promise<void> {
  await sessions.sweep({ usedBefore: NEVER, beganBefore: NEVER });
  await links.sweep(Date.parse(NEVER));
  await holdMails(mails, now);
  for (const [id, { passwordChanged, emailChanged }] of known)
    if (passwordChanged || emailChanged)
      await changeCurrentAccount(accounts, id, ({ state }) => ({
        change: {
          ...(passwordChanged && { passwordHash: null }),
          ...(emailChanged && state === 'active' && { state: 'disabled' }),
        },
        ending: emailChanged ? { keys: momentAt(now) } : {},
      }));
}

/**
 * Changes an account, unless it is erased, and revokes the access in `ending`. If the account was changed meanwhile,
 * reads it again.
 * @param changeOf returns undefined if the account needs no change
 */
export async function changeCurrentAccount(
  accounts: AccountStore,
  id: string,
  changeOf: (account: Account) => Readonly<{ change: AccountChange; ending: RevokedAccess }> | undefined,
): Promise<boolean> {
  for (;;) {
    const account = await accounts.byId(id);
    if (!account || account.state === 'erased') return false;
    const wanted = changeOf(account);
    if (!wanted) return false;
    const done = await accounts.change(id, account.version, wanted.change, wanted.ending);
    if (done !== 'stale') return done === 'changed';
  }
}

async function holdMails(mails: Database['mails'], now: number): Promise<void> {
  for (;;) {
    const waiting = await mails.list({ state: 'waiting', limit: PAGE });
    if (waiting.length === 0) return;
    for (const { id } of waiting) await mails.failed(id, { error: 'restored', next: 'never' }, now);
  }
}

/** A moment after every moment in the tables. */
const NEVER = '9999-12-31T23:59:59.999Z';
