import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@charter/database';
import { newKey, noPreferences, type Account, type AccountFact } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { organizationCommands } from '../organizations/organization-commands';
import { accountService } from './accounts';
import { type Charter, openCharter } from '../charter';
import { parseSettings } from '@charter/settings';

const folder = mkdtempSync(join(tmpdir(), 'charter-accounts-'));
let charter: Charter;
let database: Database;
beforeAll(async () => {
  charter = await openCharter(parseSettings({ CHARTER_DATA: folder }), 'server');
  ({ database } = charter);
});
afterAll(async () => {
  await charter.close();
  rmSync(folder, { recursive: true });
});

const context = () => ({
  actor: { kind: 'system', id: 'command-line', powers: [] } as const,
  at: new Date().toISOString(),
  correlation: randomUUID(),
});

/**
 * An account service that uses real tables. The service passes each change to `record` before it writes the change to
 * the account.
 */
const serviceWith = (record: (fact: AccountFact) => Promise<void>) =>
  accountService(database, { record: (_stream: object, fact: object) => record(fact as AccountFact) }, charter);

async function newAccount(wanted: Partial<Account> = {}): Promise<Account> {
  const id = randomUUID();
  const [nothing, created] = [{ username: null, name: null, role: null, ...noPreferences }, new Date().toISOString()];
  const known = { email: `${id}@example.com`, emailVerified: true, passwordHash: '$argon2id$…' };
  const account: Account = { id, state: 'active', ...known, ...nothing, created, version: 0, ...wanted };
  await database.people.accounts.insert(account);
  return account;
}
const current = (id: string) => database.people.accounts.byId(id);

describe('Account service', () => {
  it.each(['disable', 'assignRole', 'erase'] as const)(
    'makes no change if it cannot record the change in the audit trail: %s',
    async (act) => {
      const account = await newAccount();
      const service = serviceWith(() => Promise.reject(new Error('The log does not answer.')));
      const answer =
        act === 'assignRole'
          ? service.assignRole(account.id, 'operator', context())
          : act === 'erase'
            ? service.erase(account.id, context(), organizationCommands(charter.organizations, { after: [] }))
            : service.disable(account.id, context());
      await expect(answer).rejects.toThrow('The log does not answer.');
      expect(await current(account.id)).toEqual(account);
    },
  );

  it("keeps another process's change to the same account, and records its own change once", async () => {
    const account = await newAccount();
    const facts: AccountFact[] = [];
    const service = serviceWith(async (fact) => {
      facts.push(fact);
      await database.people.accounts.change(account.id, 0, { name: 'Changed meanwhile' });
    });
    const role = { name: 'Changed meanwhile', role: 'auditor', version: 2 };
    expect(await service.assignRole(account.id, 'auditor', context())).toMatchObject(role);
    expect(facts).toEqual([{ type: 'RoleAssigned', data: { role: 'auditor' } }]);
  });

  it("records its change again after another process's change of the same field", async () => {
    const { id } = await newAccount();
    const facts: AccountFact[] = [];
    const other = serviceWith((fact) => Promise.resolve(void facts.push(fact)));
    const service = serviceWith(async (fact) => {
      facts.push(fact);
      if (facts.length === 1) await other.assignRole(id, 'operator', context());
    });
    await service.assignRole(id, 'auditor', context());
    const roles = ['auditor', 'operator', 'auditor'];
    expect(facts).toEqual(roles.map((role) => ({ type: 'RoleAssigned', data: { role } })));
    expect(await current(id)).toMatchObject({ role: 'auditor' });
  });

  it("does not undo another process's later change", async () => {
    const { id } = await newAccount({ role: 'operator' });
    const addKey = async () => {
      const random = { bytes: randomBytes, uuid: randomUUID };
      const { record } = newKey({ name: 'ci', scopes: ['organizations:read'], madeBy: id }, random, Date.now());
      expect(await database.keys.insert(record)).toBe(true);
    };
    await addKey();
    const other = serviceWith(() => Promise.resolve());
    let revoked = 0;
    const service = serviceWith(async ({ type }: Readonly<{ type: string }>) => {
      if (type !== 'KeyRevoked') return;
      revoked += 1;
      // The account is disabled when the service records both keys again, because of the second key.
      if (revoked === 1) await addKey();
      else await other.enable(id, context());
    });
    expect(await service.disable(id, context())).toMatchObject({ state: 'disabled', version: 1 });
    expect([revoked, await current(id)]).toMatchObject([3, { state: 'active', version: 2 }]);
  });

  it('does not change an account that another process erases at the same time', async () => {
    const account = await newAccount();
    const service = serviceWith(async () => {
      await database.people.accounts.erase(account.id, Date.now());
    });
    expect(await service.disable(account.id, context())).toBeUndefined();
    expect(await current(account.id)).toMatchObject({ state: 'erased', email: null });
    expect(await service.disable(randomUUID(), context())).toBeUndefined();
  });

  it('runs the after-effects of `RemoveMember` for each organization that the erased account leaves', async () => {
    const { id } = await newAccount();
    const organization = randomUUID();
    const executed: unknown[] = [];
    const commands = organizationCommands(charter.organizations, { after: [(command) => executed.push(command)] });
    const by = { kind: 'system', id: 'spec', powers: ['operator'] } as const;
    const founding = [
      { type: 'FoundOrganization', data: { name: 'Acme' } },
      { type: 'AddMember', data: { member: id, role: 'member' } },
    ] as const;
    const ids = { command: randomUUID(), correlation: randomUUID(), causation: randomUUID() };
    await charter.organizations.execute(organizationStream(organization), founding, {
      ...context(),
      ...ids,
      actor: by,
    });
    await serviceWith(() => Promise.resolve()).erase(id, context(), commands);
    expect(executed).toMatchObject([{ organization, commands: { type: 'RemoveMember', data: { member: id } } }]);
  });
});
