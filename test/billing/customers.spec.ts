import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import { MemoryLog } from '@charter/event-log';
import { type OrganizationCommand, organizationDecider, organizationStream } from '@charter/organization';
import { replayCustomerLinks } from '@charter/application';

const now = Date.parse('2025-12-31T00:00:00.000Z');

describe('Customers whose link is in the log, after the process that linked them crashed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-customers-'));
  const log = new MemoryLog();
  const { execute } = aggregates(log, organizationDecider(loadCatalogue()));
  const acme = randomUUID();
  let documents: Database;
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
  /** Claims the customer and executes the command; the steps after it are missing. */
  const claimAndLink = async (customer: string) => {
    await documents.customers.claim('stripe', customer, acme, now);
    await record({ type: 'LinkBillingAccount', data: { provider: 'stripe', customer } });
  };
  const follow = async () => {
    const { followed, ...found } = await replayCustomerLinks({ log, documents }, now);
    await followed();
    return found;
  };
  const customers = async () => (await documents.customers.of(acme)).map(({ customer }) => customer);

  beforeAll(async () => {
    documents = await openDatabase({ file: join(folder, 'documents.db') });
    await record({ type: 'FoundOrganization', data: { name: 'Acme' } });
  });
  afterAll(async () => {
    await documents.close();
    rmSync(folder, { recursive: true });
  });

  it('are free again however long ago they were linked, and messages for the new customer are looked up once', async () => {
    await claimAndLink('cus_A');
    expect(await follow()).toEqual({ organizations: [acme], unknown: 0 });
    await claimAndLink('cus_B');
    await documents.customers.claim('stripe', 'cus_C', acme, now); // another request is about to link it
    expect(await follow()).toEqual({ organizations: [acme], unknown: 0 });
    expect(await customers()).toEqual(['cus_B', 'cus_C']);
    expect(await follow()).toEqual({ organizations: [], unknown: 0 });
  });

  it('are claimed again when the tables do not have them', async () => {
    await documents.customers.takeBack('stripe', 'cus_B', acme);
    await documents.marks.set('customers-follow', '');
    expect(await follow()).toEqual({ organizations: [acme], unknown: 1 });
    expect(await customers()).toEqual(['cus_B', 'cus_C']);
  });
});
