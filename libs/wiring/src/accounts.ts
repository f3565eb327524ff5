import type { Account, AccountChange, AccountFact, Ending, PlatformRole } from '@charter/identity';
import type { Documents } from '@charter/documents';
import type { AuditTrail, By } from './trail';

/**
 * What operators do with accounts, from the command line or over HTTP. It is recorded before it is done: whatever happens
 * in between, it may be told twice, but never not at all. Doing again what is done already changes nothing.
 */
export type AccountKeeping = Readonly<{
  /** Sessions and links end in the same moment. Undefined: there is no such account. */
  disable: (id: string, by: By) => Promise<Account | undefined>;
  /** As it was before: who never had a password or a verified address is invited still. */
  enable: (id: string, by: By) => Promise<Account | undefined>;
  /** Other powers need a new sign-in: all sessions end. */
  assignRole: (id: string, role: PlatformRole | null, by: By) => Promise<Account | undefined>;
  /** The account becomes an id; everything else about it is gone. */
  erase: (id: string, by: By) => Promise<Account | undefined>;
}>;

type Step = Readonly<{ fact: AccountFact; change: AccountChange; ending: Ending }>;

export function accountKeeping({ people: { accounts } }: Pick<Documents, 'people'>, trail: AuditTrail): AccountKeeping {
  const known = async (id: string) => {
    const account = await accounts.byId(id);
    return account?.state === 'erased' ? undefined : account;
  };

  /** @param next what is to be done with the account as it is now; undefined: nothing */
  const keep = async (id: string, by: By, next: (account: Account) => Step | undefined) => {
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

  return {
    disable: (id, by) =>
      keep(id, by, ({ state }) =>
        state === 'disabled'
          ? undefined
          : { fact: { type: 'AccountDisabled', data: {} }, change: { state: 'disabled' }, ending: everything },
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
    erase: async (id, by) => {
      if (await known(id)) {
        await trail.record({ account: id }, { type: 'AccountErased', data: {} }, by);
        await accounts.erase(id, Date.parse(by.at));
      }
      return accounts.byId(id);
    },
  };
}

const everything: Ending = { sessions: true, links: true };

/** Each time somebody else has to change the same account in between. */
const TRIES = 10;
