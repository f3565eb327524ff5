import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '@charter/database';
import type { Account, AccountFact } from '@charter/identity';
import { accountService } from './accounts';
import { type Charter, openCharter } from '../charter';
import { parseSettings } from '@charter/settings';

const folder = mkdtempSync(join(tmpdir(), 'charter-accounts-'));
let charter: Charter;
let documents: Database;
beforeAll(async () => {
  charter = await openCharter(parseSettings({ CHARTER_DATA: folder }), 'server');
  ({ documents } = charter);
});
afterAll(async () => {
  await charter.close();
  rmSync(folder, { recursive: true });
});

const by = () => ({
  actor: { kind: 'system', id: 'command-line', powers: [] } as const,
  at: new Date().toISOString(),
  correlation: randomUUID(),
});

/** Keeps accounts in the real tables; what is recorded goes through `told` first. */
const keepingWith = (told: (fact: AccountFact) => Promise<void>) =>
  accountService(documents, { record: (_stream: object, fact: object) => told(fact as AccountFact) }, charter);

async function someone(): Promise<Account> {
  const id = randomUUID();
  const [nothing, created] = [{ username: null, name: null, role: null, language: null }, new Date().toISOString()];
  const known = { email: `${id}@example.com`, emailVerified: true, passwordHash: '$argon2id$…' };
  const account: Account = { id, state: 'active', ...known, ...nothing, created, version: 0 };
  await documents.people.accounts.insert(account);
  return account;
}
const now = (id: string) => documents.people.accounts.byId(id);

describe('keeping accounts', () => {
  it.each(['disable', 'assignRole', 'erase'] as const)('what cannot be recorded is not done: %s', async (act) => {
    const account = await someone();
    const keeping = keepingWith(() => Promise.reject(new Error('The log does not answer.')));
    const asked =
      act === 'assignRole' ? keeping.assignRole(account.id, 'operator', by()) : keeping[act](account.id, by());
    await expect(asked).rejects.toThrow('The log does not answer.');
    expect(await now(account.id)).toEqual(account);
  });

  it('what somebody else changes meanwhile stays, and it is recorded once', async () => {
    const account = await someone();
    const facts: AccountFact[] = [];
    const keeping = keepingWith(async (fact) => {
      facts.push(fact);
      await documents.people.accounts.change(account.id, 0, { name: 'Changed meanwhile' });
    });
    const role = { name: 'Changed meanwhile', role: 'auditor', version: 2 };
    expect(await keeping.assignRole(account.id, 'auditor', by())).toMatchObject(role);
    expect(facts).toEqual([{ type: 'RoleAssigned', data: { role: 'auditor' } }]);
  });

  it('who is erased meanwhile is not changed', async () => {
    const account = await someone();
    const keeping = keepingWith(async () => {
      await documents.people.accounts.erase(account.id, Date.now());
    });
    expect(await keeping.disable(account.id, by())).toBeUndefined();
    expect(await now(account.id)).toMatchObject({ state: 'erased', email: null });
    expect(await keeping.disable(randomUUID(), by())).toBeUndefined();
  });
});
