import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BillingFact, stripeFacts } from '@charter/billing';
import { loadCatalogue } from '@charter/catalogue';
import { type Database, openDatabase } from '@charter/database';
import { aggregates } from '@charter/aggregates';
import { MemoryLog } from '@charter/event-log';
import { organizationDecider, organizationStream, purchasesInForce } from '@charter/organization';
import { type BillingService, billingService } from '@charter/application';
import { type Item, type SubscriptionFields, message, part, subscriptionOf } from '../stripe/stripe-messages';

const acme = '0a5e0a11-0000-4000-8000-000000000001';
const strange = '0a5e0a11-0000-4000-8000-00000000000f';
const now = Date.parse('2025-12-31T00:00:00.000Z');
const catalogue = loadCatalogue();
const reading = { prices: catalogue, countsTests: false };
const operator = { kind: 'account', id: acme, powers: ['operator'] } as const;

const teams: Item = { id: 'si_plan', product: 'charter-second-teams' };
const users: Item = { id: 'si_users', product: 'charter-additional-user', quantity: 2 };
const fields = (items: readonly Item[], organization?: string): SubscriptionFields => ({
  id: 'sub_1',
  status: 'active',
  customer: 'cus_1',
  items,
  organization,
});

describe('Messages of one subscription, stored in real tables,', () => {
  const folder = mkdtempSync(join(tmpdir(), 'charter-billing-'));
  let database: Database;
  let organizations: ReturnType<typeof opened>;
  let alarms: string[];
  const opened = () => aggregates(new MemoryLog(), organizationDecider(catalogue));
  beforeEach(async () => {
    database = await openDatabase({ file: join(folder, `${randomUUID()}.db`) });
    organizations = opened();
    alarms = [];
    const found = { type: 'FoundOrganization', data: { name: 'Acme' } } as const;
    const by = { actor: operator, at: '2025-01-01T00:00:00.000Z', command: acme, correlation: acme, causation: acme };
    await organizations.execute(organizationStream(acme), found, by);
    await database.customers.claim('stripe', 'cus_1', acme, now);
  });
  afterEach(() => database.close());
  afterAll(() => rmSync(folder, { recursive: true }));

  const billingWith = (inbox = database.inbox, present?: () => Promise<object>) =>
    billingService({
      database: { ...database, inbox },
      organizations,
      reading,
      currentSubscription: present,
      execute: (organization, command, by) => organizations.execute(organizationStream(organization), command, by),
      now: () => now,
      alarm: ({ id }) => alarms.push(id),
    });
  const take = (billing: ReturnType<typeof billingWith>, event: object) =>
    billing.take(stripeFacts(event, reading)!, JSON.stringify(event));
  /**
   * An inbox in which two requests read the other messages of a subscription at the same time: the first read waits
   * for the second.
   */
  const inboxWithSimultaneousReads = (): typeof database.inbox => {
    const arrived: (() => void)[] = [];
    return {
      ...database.inbox,
      ofSubscription: async (provider, subscription) => {
        await new Promise<void>((go) => {
          arrived.push(go);
          if (arrived.length >= 2) for (const each of arrived) each();
        });
        return database.inbox.ofSubscription(provider, subscription);
      },
    };
  };
  const addOnsInForce = () =>
    organizations.query(organizationStream(acme), ({ state }) => purchasesInForce(state).map(({ addOn }) => addOn));

  it('lead to the state in the newer message if both arrive at the same time, even if they name only the customer', async () => {
    const billing = billingWith(inboxWithSimultaneousReads());
    const outcomes = await Promise.all([
      take(billing, message('evt_1', 'created', fields([teams, users]), 0)),
      take(billing, message('evt_2', 'updated', fields([teams]), 60)),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['overtaken', 'applied']);
    expect(await addOnsInForce()).toEqual([]);
  });

  it('are both applied when they arrive at the same time, although each shows only a part of the subscription', async () => {
    const billing = billingWith(inboxWithSimultaneousReads(), () =>
      Promise.resolve(subscriptionOf(fields([teams, users], acme))),
    );
    await Promise.all([
      take(billing, part(message('evt_1', 'created', fields([teams], acme), 0))),
      take(billing, part(message('evt_2', 'updated', fields([teams], acme), 0))),
    ]);
    expect(await addOnsInForce()).toEqual(['additionalUser']);
    expect(await database.inbox.countOpen()).toEqual({ received: 0, quarantined: 0 });
  });

  it('with the same content are recorded once and both applied, even if one process has read only one of them', async () => {
    const [hasRead, isApplied] = [Promise.withResolvers<true>(), Promise.withResolvers<true>()];
    const slow: typeof database.inbox = {
      ...database.inbox,
      ofSubscription: async <Fact>(provider: string, subscription: string) => {
        const found = await database.inbox.ofSubscription<Fact>(provider, subscription);
        hasRead.resolve(true);
        await isApplied.promise;
        return found;
      },
    };
    const event = (id: string) => message(id, 'updated', fields([teams, users], acme), 0);
    const first = take(billingWith(slow), event('evt_1'));
    await hasRead.promise;
    expect(await take(billingWith(), event('evt_2'))).toEqual({ outcome: 'applied' });
    isApplied.resolve(true);
    expect(await first).toEqual({ outcome: 'applied' });
    expect(await organizations.query(organizationStream(acme), ({ revision }) => revision)).toBe(2);
  });

  it('are applied after their customer is linked, even if another request handles the same messages at that time', async () => {
    const [queried, answer] = [Promise.withResolvers<true>(), Promise.withResolvers<object>()];
    const billing = billingWith(database.inbox, () => {
      queried.resolve(true);
      return answer.promise;
    });
    const unlinked = (items: readonly Item[]): SubscriptionFields => ({ ...fields(items), customer: 'cus_2' });
    const taken = take(billing, part(message('evt_1', 'created', unlinked([teams]), 0)));
    await queried.promise;
    await database.customers.claim('stripe', 'cus_2', acme, now);
    const linked = billing.applyLinked(acme);
    answer.resolve(subscriptionOf(unlinked([teams, users])));
    expect([(await taken).outcome, await linked]).toEqual(['quarantined', 1]);
    expect(await addOnsInForce()).toEqual(['additionalUser']);
    expect(await database.inbox.countOpen()).toEqual({ received: 0, quarantined: 0 });
  });

  it('stay applied, and raise no alarm, if another process applied the same messages first', async () => {
    const unlinked: SubscriptionFields = { ...fields([teams, users]), customer: 'cus_2' };
    const late: typeof database.inbox = {
      ...database.inbox,
      settle: async (...given) => {
        await database.customers.claim('stripe', 'cus_2', acme, now);
        await billingWith().replay({ provider: 'stripe', id: 'evt_1' });
        return database.inbox.settle(...given);
      },
    };
    expect(await take(billingWith(late), message('evt_1', 'created', unlinked, 0))).toEqual({ outcome: 'applied' });
    expect([await addOnsInForce(), alarms]).toEqual([['additionalUser'], []]);
  });

  describe.each(['replay', 'dismiss'] as const)(
    'if one process dismisses a message while another process replays the message,',
    (last) => {
      it(`keep the outcome of the faster process, even if the slower process (${last}) read the message first`, async () => {
        const unlinked: SubscriptionFields = { ...fields([teams, users]), customer: 'cus_2' };
        const evt = { provider: 'stripe', id: 'evt_1' };
        await take(billingWith(), message('evt_1', 'created', unlinked, 0));
        await database.customers.claim('stripe', 'cus_2', acme, now);
        const changes = {
          replay: (billing: BillingService) => billing.replay(evt),
          dismiss: (billing: BillingService) => billing.dismiss(evt, 'a gift', () => Promise.resolve()),
        };
        const first = last === 'replay' ? 'dismiss' : 'replay';
        let isFirst = true;
        const late: typeof database.inbox = {
          ...database.inbox,
          storeFact: async (...given) => {
            if (isFirst) await changes[first](billingWith());
            isFirst = false;
            return database.inbox.storeFact(...given);
          },
        };
        await changes[last](billingWith(late));
        const stored = await database.inbox.find<BillingFact>(evt);
        expect([stored?.state, stored?.fact?.dismissed, await addOnsInForce()]).toEqual(
          first === 'dismiss' ? ['dismissed', 'all', []] : ['applied', undefined, ['additionalUser']],
        );
      });
    },
  );

  it('include a message that an older release could not read: a later message ends its items', async () => {
    const event = message('evt_1', 'created', fields([teams, users], acme), 0);
    const unreadable = { organization: null, customer: null, subscription: null, fact: null };
    await database.inbox.receive(
      { ...stripeFacts(event, reading)!.head, ...unreadable, raw: JSON.stringify(event) },
      now,
    );
    const evt = { provider: 'stripe', id: 'evt_1' };
    await database.inbox.settle(evt, { state: 'quarantined', reason: 'unreadable' }, now);
    expect(await billingWith().replay(evt)).toMatchObject({ outcome: 'applied' });
    expect(await addOnsInForce()).toEqual(['additionalUser']);
    await take(billingWith(), message('evt_2', 'updated', fields([teams], acme), 60));
    expect(await addOnsInForce()).toEqual([]);
    expect(await database.inbox.find(evt)).toMatchObject({ customer: 'cus_1', subscription: 'sub_1' });
  });

  it('that are sent again after a restore of older tables end the right purchases, and take effect once', async () => {
    const began = message('evt_1', 'created', fields([teams, users], acme), 0);
    await take(billingWith(), began);
    await database.close();
    database = await openDatabase({ file: join(folder, `${randomUUID()}.db`) });
    const revision = () => organizations.query(organizationStream(acme), (present) => present.revision);
    const before = await revision();

    const billing = billingWith();
    await take(billing, message('evt_2', 'updated', fields([teams], acme), 60));
    // the restored tables do not contain the subscription that sold this add-on
    expect(await addOnsInForce()).toEqual(['additionalUser']);
    expect(await take(billing, began)).toEqual({ outcome: 'overtaken' });
    expect(await addOnsInForce()).toEqual([]);
    expect(await revision()).toBe(before + 2); // the plan of evt_2, and the end of the add-on
  });

  it('of the same second are applied after eight more attempts, even if Stripe answers none of them', async () => {
    const asked = jest.fn(() => Promise.reject(new Error('Stripe is away.')));
    const billing = billingWith(database.inbox, asked);
    await take(billing, message('evt_1', 'updated', fields([teams], acme), 60));
    await take(billing, message('evt_2', 'updated', fields([teams, users], acme), 60));
    const key = { provider: 'stripe', id: 'evt_2' };
    const states = [];
    for (let attempts = 0; attempts < 10; attempts += 1) {
      states.push((await database.inbox.find(key))!.state);
      await billing.replay(key);
    }
    expect(states).toEqual([...Array<string>(8).fill('received'), 'applied', 'applied']);
    expect(asked).toHaveBeenCalledTimes(9);
  });

  it('change the right organization after an earlier message that named a wrong organization', async () => {
    const billing = billingWith();
    const wrong = await take(billing, message('evt_1', 'created', fields([teams, users], strange), 0));
    expect(wrong).toMatchObject({ outcome: 'quarantined', reason: 'no-such-organization' });
    expect(await take(billing, message('evt_2', 'updated', fields([teams, users], acme), 60))).toEqual({
      outcome: 'applied',
    });
    expect(await addOnsInForce()).toEqual(['additionalUser']);
  });
});
