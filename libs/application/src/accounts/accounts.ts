import type { Account, AccountChange, AccountFact, RevokedAccess, PlatformRole } from '@charter/identity';
import type { Database } from '@charter/database';
import {
  type AccountMembership,
  leaveAllOrganizations,
  leaveWherePossible,
  type OnLeft,
  type MembershipStores,
} from './memberships';
import type { CertificateStore } from './erasure-certificates';
import type { AuditTrail, AuditContext } from './audit-trail';

/**
 * What operators do with accounts, from the command line or over HTTP. It is recorded before it is done: whatever happens
 * in between, it may be told twice, but never not at all. Doing again what is done already changes nothing.
 */
export type AccountService = Readonly<{
  /** Sessions, links and the keys it made end in the same moment, and for good. Undefined: there is no such account. */
  disable: (id: string, by: AuditContext) => Promise<Account | undefined>;
  /** As it was before: who never had a password or a verified address is invited still. */
  enable: (id: string, by: AuditContext) => Promise<Account | undefined>;
  /** Other powers need a new sign-in: all sessions end. */
  assignRole: (id: string, role: PlatformRole | null, by: AuditContext) => Promise<Account | undefined>;
  /**
   * The account becomes an id; everything else about it is gone. It leaves its organizations first, and `left` hears of each.
   * Its certificate is kept. @throws Refused `last-owner`: an organization that is open would have no owner
   */
  erase: (id: string, by: AuditContext, left?: OnLeft) => Promise<Account | undefined>;
  /**
   * Erases once more whom a certificate names, in stores that are older than it. Nothing stands against it: an organization
   * that would be without an owner keeps the id, and is answered. Undefined: there is no such account, or it is erased.
   */
  eraseAgain: (
    id: string,
    by: AuditContext,
  ) => Promise<Readonly<{ stays: readonly Pick<AccountMembership, 'id' | 'name'>[] }> | undefined>;
}>;

type Step = Readonly<{ fact: AccountFact; change: AccountChange; ending: RevokedAccess }>;

export function accountService(
  { people: { accounts }, keys }: Pick<Database, 'people' | 'keys'>,
  trail: AuditTrail,
  looking: MembershipStores,
  certificates?: Pick<CertificateStore, 'keep'>,
): AccountService {
  const known = async (id: string) => {
    const account = await accounts.byId(id);
    return account?.state === 'erased' ? undefined : account;
  };

  /** The keys that end with an account; those made while it ended carry that moment. `told` were recorded before. */
  const recordKeys = async (id: string, by: AuditContext, told: ReadonlySet<string> = new Set()) => {
    const ending = (await keys.list({ madeBy: id })).filter(({ revoked }) => (revoked ?? by.at) === by.at);
    for (const key of ending)
      if (!told.has(key.id)) await trail.record({ key: key.id }, { type: 'KeyRevoked', data: {} }, by);
    return new Set(ending.map((key) => key.id));
  };

  /** Ends the keys with the account: recorded before it is done, and once. */
  const withKeys = async <Done>(id: string, by: AuditContext, end: () => Promise<Done>): Promise<Done> => {
    const told = await recordKeys(id, by);
    const done = await end();
    await recordKeys(id, by, told);
    return done;
  };

  /** @param next what is to be done with the account as it is now; undefined: nothing */
  const keep = async (id: string, by: AuditContext, next: (account: Account) => Step | undefined) => {
    let recorded = false;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const account = await known(id);
      const step = account && next(account);
      if (!step) return account;
      if (!recorded) await trail.record({ account: id }, step.fact, by);
      recorded = true;
      await accounts.change(id, account.version, step.change, step.ending);
    }
    throw new Error(`The account ${id} kept changing. Try again.`);
  };

  const forget = async (id: string, by: AuditContext) => {
    await trail.record({ account: id }, { type: 'AccountErased', data: {} }, by);
    await withKeys(id, by, () => accounts.erase(id, Date.parse(by.at)));
  };

  return {
    disable: (id, by) =>
      withKeys(id, by, () =>
        keep(id, by, ({ state }) =>
          state === 'disabled'
            ? undefined
            : { fact: { type: 'AccountDisabled', data: {} }, change: { state: 'disabled' }, ending: everythingAt(by) },
        ),
      ),
    enable: (id, by) =>
      keep(id, by, ({ state, passwordHash, emailVerified }) =>
        state === 'disabled'
          ? {
              fact: { type: 'AccountEnabled', data: {} },
              change: { state: passwordHash !== null || emailVerified ? 'active' : 'invited' },
              ending: {},
            }
          : undefined,
      ),
    assignRole: (id, role, by) =>
      keep(id, by, (account) =>
        account.role === role
          ? undefined
          : { fact: { type: 'RoleAssigned', data: { role } }, change: { role }, ending: { sessions: true } },
      ),
    erase: async (id, by, left = () => undefined) => {
      if (await known(id)) {
        await leaveAllOrganizations(looking, id, by, left);
        await forget(id, by);
      }
      const account = await accounts.byId(id);
      if (account) await certificates?.keep(id); // also for who was erased before: then it was perhaps not kept
      return account;
    },
    eraseAgain: async (id, by) => {
      if (!(await known(id))) return undefined;
      const stays = await leaveWherePossible(looking, id, by);
      await forget(id, by);
      await certificates?.keep(id);
      return { stays };
    },
  };
}

const everythingAt = ({ at }: AuditContext): RevokedAccess => ({ sessions: true, links: true, keys: at });

/** Each time somebody else has to change the same account in between. */
const TRIES = 10;
