import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripeFacts } from '@charter/billing';
import { loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import { MemoryLog } from '@charter/event-log';
import { organizationDecider, organizationStream, purchasesInForce } from '@charter/organization';
import { billingService } from '@charter/application';
import { type Item, type Life, message, part, subscriptionOf } from '../stripe/stripe-messages';

const acme = '0a5e0a11-0000-4000-8000-000000000001';
const strange = '0a5e0a11-0000-4000-8000-00000000000f';
const now = Date.parse('2025-12-31T00:00:00.000Z');
const catalogue = loadCatalogue();
const reading = { prices: catalogue, countsTests: false };
const operator = { kind: 'account', id: acme, powers: ['operator'] } as const;

const teams: Item = { id: 'si_plan', product: 'charter-second-teams' };
const users: Item = { id: 'si_users', product: 'charter-additional-user', quantity: 2 };
const life = (items: readonly Item[], organization?: string): Life => ({
  id: 'sub_1',
  status: 'active',
  customer: 'cus_1',
  items,
  organization,
});

describe('messages of one subscription, over real tables', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-billing-'));
  let documents: Database;
  let organizations: ReturnType<typeof opened>;
  let alarms: string[];
  const opened = () => aggregates(new MemoryLog(), organizationDecider(catalogue));
  beforeEach(async () => {
    documents = await openDatabase({ file: join(folder, `${randomUUID()}.db`) });
    organizations = opened();
    alarms = [];
    const found = { type: 'FoundOrganization', data: { name: 'Acme' } } as const;
    const by = { actor: operator, at: '2025-01-01T00:00:00.000Z', command: acme, correlation: acme, causation: acme };
    await organizations.execute(organizationStream(acme), found, by);
    await documents.customers.claim('stripe', 'cus_1', acme, now);
  });
  afterEach(() => documents.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  const keeping = (inbox = documents.inbox, present?: () => Promise<object>) =>
    billingService({
      documents: { ...documents, inbox },
      organizations,
      reading,
      currentSubscription: present,
      execute: (organization, command, by) => organizations.execute(organizationStream(organization), command, by),
      now: () => now,
      alarm: ({ id }) => alarms.push(id),
    });
  const take = (billing: ReturnType<typeof keeping>, event: object) =>
    billing.take(stripeFacts(event, reading)!, JSON.stringify(event));
  /** Whoever looks at the others of a subscription waits until two do. */
  const whereBothLook = (): typeof documents.inbox => {
    const arrived: (() => void)[] = [];
    return {
      ...documents.inbox,
      ofSubscription: async (provider, subscription) => {
        await new Promise<void>((go) => {
          arrived.push(go);
          if (arrived.length >= 2) for (const each of arrived) each();
        });
        return documents.inbox.ofSubscription(provider, subscription);
      },
    };
  };
  const held = () =>
    organizations.query(organizationStream(acme), ({ state }) => purchasesInForce(state).map(({ addOn }) => addOn));

  it('that come at the same time see each other, also where only a link says whom they are about', async () => {
    const billing = keeping(whereBothLook());
    const outcomes = await Promise.all([
      take(billing, message('evt_1', 'created', life([teams, users]), 0)),
      take(billing, message('evt_2', 'updated', life([teams]), 60)),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['overtaken', 'applied']);
    expect(await held()).toEqual([]);
  });

  it('that each show a part of it wait for nobody who waits for them', async () => {
    const billing = keeping(whereBothLook(), () => Promise.resolve(subscriptionOf(life([teams, users], acme))));
    await Promise.all([
      take(billing, part(message('evt_1', 'created', life([teams], acme), 0))),
      take(billing, part(message('evt_2', 'updated', life([teams], acme), 0))),
    ]);
    expect(await held()).toEqual(['additionalUser']);
    expect(await documents.inbox.countOpen()).toEqual({ received: 0, quarantined: 0 });
  });

  it('are applied once their customer is linked, also if somebody was at them meanwhile', async () => {
    const [asked, answer] = [Promise.withResolvers<true>(), Promise.withResolvers<object>()];
    const billing = keeping(documents.inbox, () => {
      asked.resolve(true);
      return answer.promise;
    });
    const strangers = (items: readonly Item[]): Life => ({ ...life(items), customer: 'cus_2' });
    const taken = take(billing, part(message('evt_1', 'created', strangers([teams]), 0)));
    await asked.promise;
    await documents.customers.claim('stripe', 'cus_2', acme, now);
    const linked = billing.linked(acme);
    answer.resolve(subscriptionOf(strangers([teams, users])));
    expect([(await taken).outcome, await linked]).toEqual(['quarantined', 1]);
    expect(await held()).toEqual(['additionalUser']);
    expect(await documents.inbox.countOpen()).toEqual({ received: 0, quarantined: 0 });
  });

  it('stay applied when another process did so first, and nobody is alarmed', async () => {
    const strangers: Life = { ...life([teams, users]), customer: 'cus_2' };
    const late: typeof documents.inbox = {
      ...documents.inbox,
      settle: async (...asked) => {
        await documents.customers.claim('stripe', 'cus_2', acme, now);
        await keeping().replay({ provider: 'stripe', id: 'evt_1' });
        return documents.inbox.settle(...asked);
      },
    };
    expect(await take(keeping(late), message('evt_1', 'created', strangers, 0))).toEqual({ outcome: 'applied' });
    expect([await held(), alarms]).toEqual([['additionalUser'], []]);
  });

  it('are ended rightly once those come again that older tables had forgotten, and nothing counts twice', async () => {
    const began = message('evt_1', 'created', life([teams, users], acme), 0);
    await take(keeping(), began);
    await documents.close();
    documents = await openDatabase({ file: join(folder, `${randomUUID()}.db`) });
    const revision = () => organizations.query(organizationStream(acme), (present) => present.revision);
    const before = await revision();

    const billing = keeping();
    await take(billing, message('evt_2', 'updated', life([teams], acme), 60));
    expect(await held()).toEqual(['additionalUser']); // nobody knows that it was sold by this subscription
    expect(await take(billing, began)).toEqual({ outcome: 'overtaken' });
    expect(await held()).toEqual([]);
    expect(await revision()).toBe(before + 2); // the plan of evt_2, and the end
  });

  it('go on with the right organization, after one that named a wrong one', async () => {
    const billing = keeping();
    const wrong = await take(billing, message('evt_1', 'created', life([teams, users], strange), 0));
    expect(wrong).toMatchObject({ outcome: 'quarantined', reason: 'no-such-organization' });
    expect(await take(billing, message('evt_2', 'updated', life([teams, users], acme), 60))).toEqual({
      outcome: 'applied',
    });
    expect(await held()).toEqual(['additionalUser']);
  });
});
