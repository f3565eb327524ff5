import type { Moment } from '@charter/decider';
import type { Database } from '@charter/database';
import type { AccountFact, PlatformRole } from '@charter/identity';

type Tables = Pick<Database, 'people'>;

/** What the log says about an account since, as far as it takes something away. */
export type RevokedSince = {
  isErased?: true;
  isDisabled?: boolean;
  role?: PlatformRole | null;
  passwordChanged?: true;
  /** The last version of the account whose password was taken. */
  passwordOf?: number;
  emailChanged?: true;
  /** Sessions that began before have ended. */
  endedBefore?: Moment;
  /** All sessions that began before have ended, but for one. */
  othersEndedBefore?: Moment;
  endedSessions?: readonly string[];
};

/**
 * Whether the tables still have what the log says has ended, or never had what it says was there. Only what is told after it
 * was done can show that they are an older copy: of all else whoever was at it may have died. Sessions are looked for many at
 * a time.
 */
export function restoreDetector({ people: { accounts, sessions } }: Tables) {
  let contradicts = false;
  let signedOut: string[] = [];
  const endSignedOut = async () => {
    if ((await sessions.endThose(signedOut)) > 0) contradicts = true;
    signedOut = [];
  };

  const see = async (id: string, fact: AccountFact): Promise<void> => {
    if (fact.type === 'AccountCreated') contradicts ||= (await accounts.byId(id)) === undefined;
    else if (fact.type === 'SignedOut') signedOut.push(fact.data.session);
    if (signedOut.length >= PAGE) await endSignedOut();
  };
  const found = async () => {
    await endSignedOut();
    return contradicts;
  };
  return { see, found };
}

/** What an account still has of the sessions that have ended. Which of them was to stay alone is not known, so none does. */
export async function endSessions({ people: { sessions } }: Tables, id: string, known: RevokedSince): Promise<boolean> {
  const { endedBefore = '', othersEndedBefore = '', endedSessions = [] } = known;
  if (!endedBefore && !othersEndedBefore && endedSessions.length === 0) return false;
  const live = await sessions.listOf(id, '');
  const older = live.filter(({ began }) => began < othersEndedBefore);
  const ended = live.filter((one) => one.began < endedBefore || endedSessions.includes(one.id));
  const ids = [...ended, ...(older.length > 1 ? older : [])].map((one) => one.id);
  return (await sessions.endThose(ids)) > 0;
}

const PAGE = 500;

/**
 * Nobody is in by what has ended since, or may have: every session and every link ends. Passwords that were changed since
 * are good no more, and who had changed their address waits for an operator, for the one that came back may be somebody
 * else's by now. Mails of then are not sent again unless an operator says so.
 */
export async function revokeAllAccess(
  { people: { accounts, sessions, links }, mails }: Pick<Database, 'people' | 'mails'>,
  known: ReadonlyMap<string, RevokedSince>,
  now: number,
): Promise<void> {
  await sessions.sweep({ usedBefore: NEVER, beganBefore: NEVER });
  await links.sweep(Date.parse(NEVER));
  await holdMails(mails, now);
  for (const [id, { passwordChanged, emailChanged, isErased }] of known) {
    const account = passwordChanged || emailChanged ? await accounts.byId(id) : undefined;
    if (!account || isErased) continue;
    const password = passwordChanged ? { passwordHash: null } : {};
    const state = emailChanged && account.state === 'active' ? { state: 'disabled' as const } : {};
    const ending = emailChanged ? { keys: new Date(now).toISOString() } : {};
    await accounts.change(id, account.version, { ...password, ...state }, ending);
  }
}

async function holdMails(mails: Database['mails'], now: number): Promise<void> {
  for (;;) {
    const waiting = await mails.list({ state: 'waiting', limit: PAGE });
    if (waiting.length === 0) return;
    for (const { id } of waiting) await mails.failed(id, { error: 'restored', next: 'never' }, now);
  }
}

/** Later than any moment that a table holds. */
const NEVER = '9999-12-31T23:59:59.999Z';
