import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BillingFact, stripeFacts } from '@charter/billing';
import { loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import { MemoryLog } from '@charter/event-log';
import { organizationDecider, organizationStream } from '@charter/organization';
import { billingService } from '@charter/application';
import { solo, teams } from '../sending';
import { type Item, type SubscriptionFields, message } from '../stripe/stripe-messages';

const acme = '0a5e0a11-0000-4000-8000-000000000001';
const catalogue = loadCatalogue();
const reading = { prices: catalogue, countsTests: false };
const fields = (id: string, item: Item): SubscriptionFields => ({
  id,
  status: 'active',
  items: [item],
  organization: acme,
});

describe('Received messages that are not applied yet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-going-on-'));
  let database: Database;
  const organizations = aggregates(new MemoryLog(), organizationDecider(catalogue));
  let now = Date.parse('2025-12-31T00:00:00.000Z');
  const start = (currentSubscription: () => Promise<undefined>) =>
    billingService({
      database,
      organizations,
      reading,
      currentSubscription,
      execute: (organization, command, by) => organizations.execute(organizationStream(organization), command, by),
      now: () => now,
      alarm: () => undefined,
    });
  const away = () => Promise.reject(new Error('Stripe is away'));
  const stateOf = async (id: string) => (await database.inbox.find<BillingFact>({ provider: 'stripe', id }))?.state;
  const receive = async (event: ReturnType<typeof message>) => {
    const { head, ...result } = stripeFacts(event, reading)!;
    if (result.kind !== 'fact') throw new Error('the message contains no fact');
    const { customer = null, subscription = null } = result.fact;
    const about = { organization: acme, customer, subscription, fact: result.fact, raw: null };
    await database.inbox.receive({ ...head, ...about }, now);
  };

  beforeAll(async () => {
    database = await openDatabase({ file: join(folder, 'documents.db') });
    const by = {
      actor: { kind: 'account', id: acme, powers: ['operator'] },
      at: '2025-01-01T00:00:00.000Z',
      command: acme,
      correlation: acme,
      causation: acme,
    } as const;
    await organizations.execute(organizationStream(acme), { type: 'FoundOrganization', data: { name: 'Acme' } }, by);
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  it('do not delay later messages, and are tried again as soon as a process starts', async () => {
    // These messages have the same second and contradict each other. Only Stripe knows which of these messages is
    // current.
    for (let n = 0; n < 100; n += 1)
      await receive(message(`evt_${n}`, 'updated', fields('sub_1', n % 2 ? solo : teams), 60));
    now += 1;
    await receive(message('evt_behind', 'updated', fields('sub_2', teams), 120));
    now += 1;
    const billing = start(away);
    expect(await billing.applyDue(() => false)).toBe(100);
    now += 31_000;
    expect(await billing.applyDue(() => false)).toBe(1);
    expect([await stateOf('evt_0'), await stateOf('evt_behind')]).toEqual(['received', 'applied']);
    expect(await billing.applyDue(() => false)).toBe(0);

    expect(await start(() => Promise.resolve(undefined)).applyDue(() => false)).toBe(100);
    expect(await stateOf('evt_0')).not.toBe('received');
  });
});
