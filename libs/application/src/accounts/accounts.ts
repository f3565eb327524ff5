import type { Account, AccountChange, AccountFact, RevokedAccess, PlatformRole } from '@charter/identity';
import type { Database } from '@charter/database';
import {
  type AccountMembership,
  isMemberSomewhere,
  leaveAllOrganizations,
  leaveWherePossible,
  type MembershipStores,
} from './memberships';
import type { OrganizationCommands } from '../organizations/organization-commands';
import type { CertificateStore } from './erasure-certificates';
import { certifyErasures, ErasedDataRemains } from './certify-erasures';
import type { AuditTrail, AuditContext } from './audit-trail';

/**
 * Operators' changes to accounts, from the command line or over HTTP. The service records each change in the log before
 * it makes the change. After a crash, the log may contain a change twice, but the log never lacks a change. A repeated
 * call changes nothing.
 */
export type AccountService = Readonly<{
  /**
   * In one transaction, ends the account's sessions and mailed links, and revokes the API keys that the account
   * created. Undefined if the account does not exist.
   */
  disable: (id: string, context: AuditContext) => Promise<Account | undefined>;
  /** Reverses `disable`. An account without a password and without a verified address gets the state `invited`. */
  enable: (id: string, context: AuditContext) => Promise<Account | undefined>;
  /**
   * Ends all sessions of the account, because a new role requires a new sign-in. If the account had a role before, the
   * same transaction revokes the API keys that the account created.
   */
  assignRole: (id: string, role: PlatformRole | null, context: AuditContext) => Promise<Account | undefined>;
  /**
   * Removes the account from every open organization with the command `RemoveMember`. Then erases everything about the
   * account except its id, removes the erased bytes from the files of the database (purge), and stores a certificate.
   * With `unlessMember`, an account that is a member of an organization stays, and the result is undefined.
   * @throws Refused `last-owner`: an open organization would have no owner. ErasedDataRemains: the account is erased,
   * but the purge failed. After `ErasedDataRemains`, a repeated call only purges the files and stores the certificate.
   */
  erase: (
    id: string,
    context: AuditContext,
    commands: OrganizationCommands,
    options?: Readonly<{ unlessMember: boolean }>,
  ) => Promise<ErasedAccount | undefined>;
  /**
   * Repeats, in restored stores, an erasure that a certificate proves. The repetition is never refused. If the account
   * is the only owner of an organization, the account's id stays the owner, and the result names the organization.
   * Undefined if the account does not exist or is already erased. Stores no certificate: the caller then calls
   * `certifyErasures` for each erased account.
   */
  eraseAgain: (
    id: string,
    context: AuditContext,
    commands: OrganizationCommands,
  ) => Promise<Readonly<{ stays: readonly Pick<AccountMembership, 'id' | 'name'>[] }> | undefined>;
}>;

/**
 * `remains` is the sentence of `PurgeResult` about erased data that is still in the files of the database; null if no
 * such data is there.
 */
type ErasedAccount = Readonly<{ account: Account; remains: string | null }>;

type Step = Readonly<{ fact: AccountFact; change: AccountChange; ending: RevokedAccess }>;

export function accountService(
  database: Pick<Database, 'people' | 'keys' | 'purgeErased'>,
  trail: Pick<AuditTrail, 'record'>,
  stores: MembershipStores,
  certificates?: Pick<CertificateStore, 'keep'>,
): AccountService {
  const {
    people: { accounts },
    keys,
  } = database;
  const known = async (id: string) => {
    const account = await accounts.byId(id);
    return account?.state === 'erased' ? undefined : account;
  };

  /**
   * Records the revocation of each API key that the account created. Skips the keys that another change has
   * revoked: their `revoked` differs from the moment of this change.
   */
  const recordKeys = async (id: string, context: AuditContext) => {
    for (const key of await keys.list({ madeBy: id }))
      if ((key.revoked ?? context.at) === context.at)
        await trail.record({ key: key.id }, { type: 'KeyRevoked', data: {} }, context);
  };

  /**
   * Records a change and then makes it. If another process changes the account's state or role meanwhile, records its
   * own change again, so that the log has both changes in the order of the tables. If the change revokes the account's
   * API keys, this function also records each revocation once.
   * @param next computes the change from the current account; undefined if nothing has to change
   */
  const changeRecorded = async (id: string, context: AuditContext, next: (account: Account) => Step | undefined) => {
    let recorded: Account | undefined;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const account = await known(id);
      const step = account && next(account);
      if (!step) return account;
      if (recorded?.state !== account.state || recorded.role !== account.role)
        await trail.record({ account: id }, step.fact, context);
      recorded = account;
      if (step.ending.keys) await recordKeys(id, context);
      const outcome = await accounts.change(id, account.version, step.change, step.ending);
      if (step.ending.keys) await recordKeys(id, context);
      if (outcome === 'changed') return { ...account, ...step.change, version: account.version + 1 };
    }
    throw new Error(`The account ${id} changed ${TRIES} times during this operation. Try again.`);
  };

  const eraseRecorded = async (id: string, context: AuditContext) => {
    await trail.record({ account: id }, { type: 'AccountErased', data: {} }, context);
    await recordKeys(id, context);
    await accounts.erase(id, Date.parse(context.at));
    await recordKeys(id, context);
  };

  return {
    disable: (id, context) =>
      changeRecorded(id, context, ({ state }) =>
        state === 'disabled'
          ? undefined
          : {
              fact: { type: 'AccountDisabled', data: {} },
              change: { state: 'disabled' },
              ending: everythingAt(context),
            },
      ),
    enable: (id, context) =>
      changeRecorded(id, context, ({ state, passwordHash, emailVerified }) =>
        state === 'disabled'
          ? {
              fact: { type: 'AccountEnabled', data: {} },
              change: { state: passwordHash !== null || emailVerified ? 'active' : 'invited' },
              ending: {},
            }
          : undefined,
      ),
    assignRole: (id, role, context) =>
      changeRecorded(id, context, (account) =>
        account.role === role
          ? undefined
          : {
              fact: { type: 'RoleAssigned', data: { role } },
              change: { role },
              ending: { sessions: true, ...(account.role !== null && { keys: context.at }) },
            },
      ),
    erase: async (id, context, commands, { unlessMember } = { unlessMember: false }) => {
      if (await known(id)) {
        if (!unlessMember) await leaveAllOrganizations(stores, id, context, commands);
        else if (await isMemberSomewhere(stores, id)) return undefined;
        await eraseRecorded(id, context);
      }
      const account = await accounts.byId(id);
      if (!account) return undefined;
      // Also runs for an erased account, because an earlier call may have crashed before it stored the certificate.
      const { outcome, remains } = await certifyErasures({ database, certificates }, [id]);
      if (outcome === 'failed') throw new ErasedDataRemains(remains);
      return { account, remains };
    },
    eraseAgain: async (id, context, commands) => {
      if (!(await known(id))) return undefined;
      const stays = await leaveWherePossible(stores, id, context, commands);
      await eraseRecorded(id, context);
      return { stays };
    },
  };
}

const everythingAt = ({ at }: AuditContext): RevokedAccess => ({ sessions: true, links: true, keys: at });

/** The maximum number of attempts while other processes change the same account. */
const TRIES = 10;
