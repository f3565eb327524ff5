import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import { MemoryLog } from '@charter/event-log';
import { type OrganizationCommand, organizationDecider, organizationStream } from '@charter/organization';
import { replayCustomerLinks, settleCustomerLink } from '@charter/application';

const now = Date.parse('2025-12-31T00:00:00.000Z');

describe('Links to customers that a crashed process wrote to the log, but not to the tables,', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-customers-'));
  const log = new MemoryLog();
  const { execute } = aggregates(log, organizationDecider(loadCatalogue()));
  const acme = randomUUID();
  let database: Database;
  const record = (command: OrganizationCommand) => {
    const id = randomUUID();
    const actor = { kind: 'account', id, powers: ['operator'] } as const;
    return execute(organizationStream(acme), command, {
      actor,
      at: '2025-01-01T00:00:00.000Z',
      command: id,
      correlation: id,
      causation: id,
    });
  };
  /** Claims the customer and records the link in the log, like a process that crashes before it updates the tables. */
  const claimAndLink = async (customer: string) => {
    await database.customers.claim('stripe', customer, acme, now);
    await record({ type: 'LinkBillingAccount', data: { provider: 'stripe', customer } });
  };
  const follow = async () => {
    const { moveBookmark, ...found } = await replayCustomerLinks({ log, database }, now);
    await moveBookmark();
    return found;
  };
  const customers = async () => (await database.customers.of(acme)).map(({ customer }) => customer);

  beforeAll(async () => {
    database = await openDatabase({ file: join(folder, 'documents.db') });
    await record({ type: 'FoundOrganization', data: { name: 'Acme' } });
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('are replayed once; the replay frees the former customer, but not a customer that another request has claimed', async () => {
    await claimAndLink('cus_A');
    expect(await follow()).toEqual({ organizations: [acme], unknown: 0 });
    await claimAndLink('cus_B');
    // another request has claimed this customer, and has not linked it yet
    await database.customers.claim('stripe', 'cus_C', acme, now);
    expect(await follow()).toEqual({ organizations: [acme], unknown: 0 });
    expect(await customers()).toEqual(['cus_B', 'cus_C']);
    expect(await follow()).toEqual({ organizations: [], unknown: 0 });
  });

  it('are replayed again after the tables have lost a link', async () => {
    await database.customers.takeBack('stripe', 'cus_B', acme);
    await database.marks.set('customers-follow', '');
    expect(await follow()).toEqual({ organizations: [acme], unknown: 1 });
    expect(await customers()).toEqual(['cus_B', 'cus_C']);
  });

  it('leave the same claims after a live link, even if a concurrent request has released the claim of the newest customer', async () => {
    const settle = (customer: string) =>
      settleCustomerLink({ log, database }, { organization: acme, provider: 'stripe', customer }, now);
    await claimAndLink('cus_D');
    await record({ type: 'LinkBillingAccount', data: { provider: 'paddle', customer: 'ctm_1' } });
    await claimAndLink('cus_E');
    await settle('cus_D'); // the request for cus_D ends after the request for cus_E
    expect(await customers()).toEqual(['cus_C', 'cus_E']);
    await database.customers.takeBack('stripe', 'cus_E', acme);
    await settle('cus_E');
    expect(await customers()).toEqual(['cus_C', 'cus_E']);
    await follow();
    // the replay reads the link of another provider, and claims its customer
    expect(await customers()).toEqual(['ctm_1', 'cus_C', 'cus_E']);
  });
});
