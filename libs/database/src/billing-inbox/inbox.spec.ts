import type { KyselyPlugin } from 'kysely';
import { billingInboxIn } from './inbox';
import { acmeId, billingIn, fact, message, otherId } from './inbox.testing';
import { openTables } from '../sqlite/open-tables';
import { databases, folder, testNow } from '../database.testing';
import type { BillingMessage } from './billing-message';

const idsOf = (messages: readonly Pick<BillingMessage, 'id'>[]) => messages.map(({ id }) => id);

describe.each(databases)('Billing inbox in %s', (_database, make) => {
  const on = billingIn(make);

  it('stores a message once and unchanged; a process that starts later reads the same message', async () => {
    const raw = '{"id":"evt_1", "é":  "\\u00e9"}';
    const { isNew, message: stored } = await on.inbox.receive(message('evt_1', { raw }), testNow);
    expect(isNew).toBe(true);
    expect(stored).toEqual({
      ...message('evt_1', { raw }),
      state: 'received',
      reason: null,
      detail: null,
      attempts: 0,
      received: '2026-11-21T10:00:00.000Z',
      settled: null,
    });
    const later = await on.place.open();
    expect(await later.inbox.receive(message('evt_1', { raw: 'other' }), testNow + 1)).toEqual({
      isNew: false,
      message: stored,
    });
    expect(await later.inbox.find({ provider: 'stripe', id: 'evt_1' })).toEqual(stored);
    expect(await later.inbox.find({ provider: 'stripe', id: 'evt_2' })).toBeUndefined();
    await later.close();
  });

  it('stores one message when it receives fifty copies at the same time', async () => {
    const received = await Promise.all(Array.from({ length: 50 }, () => on.inbox.receive(message('evt_1'), testNow)));
    expect(received.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  it('stores two messages with the same id if they come from different providers', async () => {
    await on.inbox.receive(message('evt_1'), testNow);
    const cloud = message('evt_1', { provider: 'cloudevents:erp', fact: null });
    expect((await on.inbox.receive(cloud, testNow)).isNew).toBe(true);
    await on.inbox.settle({ provider: 'stripe', id: 'evt_1' }, { state: 'applied' }, testNow);
    expect(await on.inbox.find(cloud)).toMatchObject({ state: 'received', fact: null });
    expect(await on.inbox.storeFact(cloud, { ...cloud, fact }, null)).toBe(true);
  });

  it('stores the state of a message, the number of attempts, and the reason for the quarantine', async () => {
    const evt = { provider: 'stripe', id: 'evt_1' };
    await on.inbox.receive(message('evt_1'), testNow);
    await on.inbox.attempt(evt);
    await on.inbox.attempt(evt);
    await on.inbox.settle(
      evt,
      { state: 'quarantined', reason: 'unknown-price', detail: 'Nothing is sold.' },
      testNow + 5,
    );
    expect(await on.inbox.find(evt)).toMatchObject({
      state: 'quarantined',
      reason: 'unknown-price',
      detail: 'Nothing is sold.',
      attempts: 2,
      settled: '2026-11-21T10:00:00.005Z',
      raw: '{"id":"evt_1"}',
    });
    const content = { organization: acmeId, customer: 'cus_2', subscription: 'sub_2', fact: { holds: [] } };
    expect(await on.inbox.storeFact(evt, content, { holds: [1] })).toBe(false);
    expect(await on.inbox.find(evt)).toMatchObject({ fact, customer: 'cus_1' });
    expect(await on.inbox.storeFact(evt, content, fact)).toBe(true);
    await on.inbox.settle(evt, { state: 'applied' }, testNow + 6);
    expect(await on.inbox.find(evt)).toMatchObject({
      state: 'applied',
      reason: null,
      detail: null,
      ...content,
    });
  });

  it('keeps the first outcome of a message when another process settles it later', async () => {
    const evt = { provider: 'stripe', id: 'evt_1' };
    await Promise.all(['evt_1', 'evt_2'].map((id) => on.inbox.receive(message(id), testNow)));
    expect(await on.inbox.settle(evt, { state: 'applied' }, testNow)).toBe(true);
    const late = { state: 'quarantined', reason: 'unmapped-customer' } as const;
    expect(
      await Promise.all(['evt_1', 'evt_2'].map((id) => on.inbox.settle({ ...evt, id }, late, testNow + 1))),
    ).toEqual([false, true]);
    expect(await on.inbox.find(evt)).toMatchObject({ state: 'applied', reason: null });
  });

  it("deletes the raw text of an ignored message, and still recognizes the message's id", async () => {
    await on.inbox.receive(message('evt_1', { fact: null }), testNow);
    await on.inbox.settle({ provider: 'stripe', id: 'evt_1' }, { state: 'ignored', reason: 'type-not-used' }, testNow);
    expect(await on.inbox.find({ provider: 'stripe', id: 'evt_1' })).toMatchObject({ state: 'ignored', raw: null });
    expect((await on.inbox.receive(message('evt_1'), testNow)).isNew).toBe(false);
  });

  it('finds the messages of one subscription, oldest first by the provider’s time', async () => {
    await on.inbox.receive(message('evt_b', { time: '2026-11-21T09:00:00.999Z' }), testNow);
    await on.inbox.receive(message('evt_c'), testNow + 1);
    await on.inbox.receive(message('evt_a'), testNow + 2);
    await on.inbox.receive(message('evt_0', { fact: null }), testNow);
    await on.inbox.receive(message('evt_1', { subscription: 'sub_2' }), testNow);
    await on.inbox.receive(message('evt_2', { provider: 'other' }), testNow);
    const found = await on.inbox.ofSubscription('stripe', 'sub_1');
    expect(idsOf(found)).toEqual(['evt_a', 'evt_c', 'evt_b']);
    expect(found[0]).toEqual({ provider: 'stripe', id: 'evt_a', state: 'received', fact });
  });

  it('finds messages that name the organization or its customer; if a message names the organization, also the other messages of its subscription', async () => {
    await on.database.customers.claim('stripe', 'cus_linked', acmeId, testNow);
    await on.inbox.receive(message('evt_named', { organization: acmeId }), testNow);
    await on.inbox.receive(message('evt_moved', { organization: otherId }), testNow);
    await on.inbox.receive(message('evt_linked', { customer: 'cus_linked', subscription: 'sub_2' }), testNow);
    await on.inbox.receive(
      message('evt_elsewhere', { customer: 'cus_linked', subscription: 'sub_3', organization: otherId }),
      testNow,
    );
    await on.inbox.receive(message('evt_strange', { customer: 'cus_2', subscription: null }), testNow);
    // the same ids, but of another provider
    const foreign = { provider: 'other', customer: 'cus_linked', subscription: 'sub_1' };
    await on.inbox.receive(message('evt_foreign', foreign), testNow);
    await on.inbox.receive(message('evt_foreigner', { ...foreign, organization: otherId }), testNow);
    expect(idsOf(await on.inbox.ofOrganization(acmeId))).toEqual(['evt_linked', 'evt_moved', 'evt_named']);
  });

  it('finds received messages without an outcome, the oldest first', async () => {
    await on.inbox.receive(message('evt_2'), testNow + 2);
    await on.inbox.receive(message('evt_1'), testNow + 1);
    await on.inbox.receive(message('evt_0'), testNow);
    await on.inbox.receive(message('evt_3'), testNow + 3);
    await on.inbox.settle({ provider: 'stripe', id: 'evt_0' }, { state: 'quarantined' }, testNow);
    expect(idsOf(await on.inbox.unsettled(testNow + 3, 10))).toEqual(['evt_1', 'evt_2']);
    const [first] = await on.inbox.unsettled(testNow + 3, 1);
    expect(first!.id).toBe('evt_1');
    expect(idsOf(await on.inbox.unsettled(testNow + 3, 1, first))).toEqual(['evt_2']);
    expect(idsOf(await on.inbox.unsettled(testNow + 3, 10, first))).toEqual(['evt_2']);
  });

  it('lists messages by state, newest first, without missing or repeated rows', async () => {
    const all = ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'];
    for (const id of all) await on.inbox.receive(message(id), id < 'evt_4' ? testNow : testNow + 1);
    await on.inbox.receive(message('evt_6'), testNow);
    await Promise.all(all.map((id) => on.inbox.settle({ provider: 'stripe', id }, { state: 'quarantined' }, testNow)));
    const seen: BillingMessage[] = [];
    for (let page = await on.inbox.list({ state: 'quarantined', limit: 2 }); page.length > 0;) {
      seen.push(...page);
      page = await on.inbox.list({ state: 'quarantined', limit: 2, before: page.at(-1) });
    }
    expect(idsOf(seen)).toEqual(['evt_5', 'evt_4', 'evt_3', 'evt_2', 'evt_1']);
    expect(idsOf(await on.inbox.list({ limit: 10 }))).toHaveLength(6);
    await on.inbox.settle({ provider: 'stripe', id: 'evt_5' }, { state: 'applied' }, testNow);
    expect(await on.inbox.countOpen()).toEqual({ received: 1, quarantined: 4 });
  });
});

it('The billing inbox writes fifty simultaneous messages and their outcomes with fewer than ten SQL statements', async () => {
  const { file, remove } = folder();
  const { tables, close } = await openTables(file());
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      statements += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  };
  const inbox = billingInboxIn(tables.withPlugin(counting));
  const ids = Array.from({ length: 50 }, (_, n) => `evt_${n}`);
  const received = await Promise.all(ids.map((id) => inbox.receive(message(id), testNow)));
  await Promise.all(ids.map((id) => inbox.settle({ provider: 'stripe', id }, { state: 'applied' }, testNow)));
  expect(statements).toBeLessThan(10);
  expect(received.every(({ isNew, message: stored }, n) => isNew && stored.id === ids[n])).toBe(true);
  expect(await inbox.list({ state: 'applied', limit: 100 })).toHaveLength(50);
  await close();
  remove();
});
