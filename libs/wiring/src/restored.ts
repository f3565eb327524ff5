import type { Moment } from '@charter/decider';
import type { Documents } from '@charter/documents';
import type { AccountFact, PlatformRole } from '@charter/identity';

type Tables = Pick<Documents, 'people'>;

/** What the log says about an account since, as far as it takes something away. */
export type KnownSince = {
  isErased?: true;
  isDisabled?: boolean;
  role?: PlatformRole | null;
  passwordChanged?: true;
  /** The last version of the account whose password was taken. */
  passwordOf?: number;
  emailChanged?: true;
};

/**
 * Whether the tables still have what the log says has ended: a session, or an account that they have never heard of. Then
 * they are an older copy. Sessions that were signed out are looked for many at a time.
 */
export function contradictionsIn({ people: { accounts, sessions } }: Tables) {
  let contradicts = false;
  let signedOut: string[] = [];
  const endSignedOut = async () => {
    if ((await sessions.endThose(signedOut)) > 0) contradicts = true;
    signedOut = [];
  };
  const lives = async (account: string, before: Moment) =>
    (await sessions.listOf(account, '')).filter(({ began }) => began < before);

  /** @param at when it was told; sessions that are older have ended with it */
  const see = async (id: string, fact: AccountFact, at: Moment): Promise<void> => {
    if (fact.type === 'AccountCreated') contradicts ||= (await accounts.byId(id)) === undefined;
    else if (fact.type === 'SignedOut') signedOut.push(fact.data.session);
    else if (fact.type === 'SessionsEnded' && fact.data.session !== undefined) signedOut.push(fact.data.session);
    else if (fact.type === 'SessionsEnded') contradicts ||= (await lives(id, at)).length > (fact.data.others ? 1 : 0);
    else if ('version' in fact.data)
      return; // which tells whether the tables have heard of it
    else if (endsSessions.has(fact.type)) contradicts ||= (await lives(id, at)).length > 0;
    if (signedOut.length >= PAGE) await endSignedOut();
  };
  const found = async () => {
    await endSignedOut();
    return contradicts;
  };
  return { see, found };
}

const endsSessions: ReadonlySet<AccountFact['type']> = new Set([
  'PasswordChanged',
  'PasswordReset',
  'EmailChanged',
  'AccountDisabled',
  'RoleAssigned',
]);
const PAGE = 500;

/**
 * Nobody is in by what has ended since, or may have: every session and every link ends. Passwords that were changed since
 * are good no more, and who had changed their address waits for an operator, for the one that came back may be somebody
 * else's by now. Mails of then are not sent again unless an operator says so.
 */
export async function endEverything(
  { people: { accounts, sessions, links }, mails }: Pick<Documents, 'people' | 'mails'>,
  known: ReadonlyMap<string, KnownSince>,
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

async function holdMails(mails: Documents['mails'], now: number): Promise<void> {
  for (;;) {
    const waiting = await mails.list({ state: 'waiting', limit: PAGE });
    if (waiting.length === 0) return;
    for (const { id } of waiting) await mails.failed(id, { error: 'restored', next: 'never' }, now);
  }
}

/** Later than any moment that a table holds. */
const NEVER = '9999-12-31T23:59:59.999Z';
