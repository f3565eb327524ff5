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
import { solo, teams, users } from '../sending';
import { type Item, type SubscriptionFields, message, part, subscriptionOf } from '../stripe/stripe-messages';

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
  let isLogAway = false;
  const alarms: string[] = [];
  const start = (currentSubscription?: () => Promise<object | undefined>) =>
    billingService({
      database,
      organizations,
      reading,
      currentSubscription,
      execute: (organization, command, by) =>
        isLogAway
          ? Promise.reject(new Error('the log is away'))
          : organizations.execute(organizationStream(organization), command, by),
      now: () => now,
      alarm: ({ id }, reason) => void alarms.push(`${id} ${reason}`),
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

  it('are also the messages that waited for their customer, if the log is unavailable after the customer is linked', async () => {
    const billing = start();
    for (const [index, id] of ['evt_linked', 'evt_also'].entries()) {
      const unlinked = { ...fields(`sub_${id}`, users(1)), organization: undefined, customer: 'cus_2' };
      const event = message(id, 'created', unlinked, index);
      expect(await billing.take(stripeFacts(event, reading)!, '{}')).toMatchObject({ outcome: 'quarantined' });
    }
    await database.customers.claim('stripe', 'cus_2', acme, now);
    isLogAway = true;
    await expect(billing.applyLinked(acme)).rejects.toThrow('the log is away');
    isLogAway = false;
    now += 61_000;
    expect(await start().applyDue(() => false)).toBe(2);
    expect([await stateOf('evt_linked'), await stateOf('evt_also')]).toEqual(['applied', 'applied']);
  });

  it('are also partial messages while Stripe does not answer; after the last attempt they wait in the quarantine, with an alarm', async () => {
    const subscription = { ...fields('sub_part', solo), items: [solo, users(2)] };
    const partial = part(message('evt_part', 'created', fields('sub_part', solo), 0));
    const take = (billing: ReturnType<typeof start>) => billing.take(stripeFacts(partial, reading)!, '{}');
    const waits = { outcome: 'quarantined', reason: 'more-items' };
    const silent = start(away);
    alarms.length = 0;
    expect([await take(silent), await stateOf('evt_part'), alarms]).toMatchObject([waits, 'received', []]);
    for (let retries = 1; retries < 8; retries += 1) {
      now += 11 * 60_000;
      await silent.applyDue(() => false);
      expect([retries, await stateOf('evt_part'), alarms]).toEqual([retries, 'received', []]);
    }
    now += 11 * 60_000;
    await silent.applyDue(() => false);
    expect([await stateOf('evt_part'), alarms]).toEqual(['quarantined', ['evt_part more-items']]);

    const key = { provider: 'stripe', id: 'evt_part' };
    expect(await silent.replay(key)).toMatchObject({ ...waits, was: 'quarantined' });
    expect(await stateOf('evt_part')).toBe('received');
    expect(await start(() => Promise.resolve(subscriptionOf(subscription))).applyDue(() => false)).toBe(1);
    expect(await stateOf('evt_part')).toBe('applied');
  });
});
