import type { BillingMessage, Inbox, NewMessage } from './inbox';
import type { Documents } from './stores';
import { databases, type Place } from './stores.testing';

const acme = 'aaaaaaaa-0000-4000-8000-000000000001';
const other = 'aaaaaaaa-0000-4000-8000-000000000002';
const now = Date.parse('2026-11-21T10:00:00.000Z');
const fact = { holds: [{ kind: 'plan', line: 'second', plan: 'solo' }] };

const message = (id: string, more: Partial<NewMessage<unknown>> = {}): NewMessage<unknown> => ({
  provider: 'stripe',
  id,
  type: 'customer.subscription.updated',
  time: '2026-11-21T09:00:00.500Z',
  organization: null,
  customer: 'cus_1',
  subscription: 'sub_1',
  fact,
  raw: `{"id":"${id}"}`,
  ...more,
});
const idsOf = (messages: readonly BillingMessage[]) => messages.map(({ id }) => id);

describe.each(databases)('the inbox of billing in %s', (_database, make) => {
  let place: Place;
  let documents: Documents;
  let inbox: Inbox;
  beforeAll(async () => {
    place = await make();
  });
  beforeEach(async () => {
    documents = await place.open();
    ({ inbox } = documents);
  });
  afterEach(async () => {
    await documents.close();
    await place.run('delete from billing_messages');
    await place.run('delete from billing_customers');
  });
  afterAll(() => place.remove());

  it('keeps a message once, letter for letter, also for a process that comes later', async () => {
    const raw = '{"id":"evt_1", "é":  "\\u00e9"}';
    const { isNew, message: stored } = await inbox.receive(message('evt_1', { raw }), now);
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
    const later = await place.open();
    expect(await later.inbox.receive(message('evt_1', { raw: 'other' }), now + 1)).toEqual({
      isNew: false,
      message: stored,
    });
    expect(await later.inbox.find({ provider: 'stripe', id: 'evt_1' })).toEqual(stored);
    expect(await later.inbox.find({ provider: 'stripe', id: 'evt_2' })).toBeUndefined();
    await later.close();
  });

  it('lets one of fifty at once in', async () => {
    const received = await Promise.all(Array.from({ length: 50 }, () => inbox.receive(message('evt_1'), now)));
    expect(received.filter(({ isNew }) => isNew)).toHaveLength(1);
  });

  it('tells messages of two providers apart, although they have one id', async () => {
    await inbox.receive(message('evt_1'), now);
    const cloud = message('evt_1', { provider: 'cloudevents:erp', fact: null });
    expect((await inbox.receive(cloud, now)).isNew).toBe(true);
    await inbox.settle({ provider: 'stripe', id: 'evt_1' }, { state: 'applied' }, now);
    expect(await inbox.find(cloud)).toMatchObject({ state: 'received', fact: null });
  });

  it('says what became of a message, how often it was tried, and why it waits', async () => {
    const evt = { provider: 'stripe', id: 'evt_1' };
    await inbox.receive(message('evt_1'), now);
    await inbox.attempt(evt);
    await inbox.attempt(evt);
    await inbox.settle(evt, { state: 'quarantined', reason: 'unknown-price', detail: 'Nothing is sold.' }, now + 5);
    expect(await inbox.find(evt)).toMatchObject({
      state: 'quarantined',
      reason: 'unknown-price',
      detail: 'Nothing is sold.',
      attempts: 2,
      settled: '2026-11-21T10:00:00.005Z',
      raw: '{"id":"evt_1"}',
    });
    await inbox.learn(evt, { organization: acme, fact: { holds: [] } });
    await inbox.settle(evt, { state: 'applied' }, now + 6);
    expect(await inbox.find(evt)).toMatchObject({
      state: 'applied',
      reason: null,
      detail: null,
      organization: acme,
      fact: { holds: [] },
    });
  });

  it('forgets the raw text of what is ignored, and keeps that it came', async () => {
    await inbox.receive(message('evt_1', { fact: null }), now);
    await inbox.settle({ provider: 'stripe', id: 'evt_1' }, { state: 'ignored', reason: 'type-not-used' }, now);
    expect(await inbox.find({ provider: 'stripe', id: 'evt_1' })).toMatchObject({ state: 'ignored', raw: null });
    expect((await inbox.receive(message('evt_1'), now)).isNew).toBe(false);
  });

  it('finds what one subscription said, the oldest first by the time of the provider', async () => {
    await inbox.receive(message('evt_b', { time: '2026-11-21T09:00:00.999Z' }), now);
    await inbox.receive(message('evt_c'), now + 1);
    await inbox.receive(message('evt_a'), now + 2);
    await inbox.receive(message('evt_0', { fact: null }), now);
    await inbox.receive(message('evt_1', { subscription: 'sub_2' }), now);
    await inbox.receive(message('evt_2', { provider: 'other' }), now);
    const found = await inbox.ofSubscription('stripe', 'sub_1');
    expect(idsOf(found)).toEqual(['evt_a', 'evt_c', 'evt_b']);
    expect(found[0]).toEqual({ ...(await inbox.find({ provider: 'stripe', id: 'evt_a' })), raw: null });
  });

  it('finds what is about an organization: named, linked, or of a subscription that was its own', async () => {
    await documents.customers.claim('stripe', 'cus_linked', acme, now);
    await inbox.receive(message('evt_named', { organization: acme }), now);
    await inbox.receive(message('evt_moved', { organization: other }), now);
    await inbox.receive(message('evt_linked', { customer: 'cus_linked', subscription: 'sub_2' }), now);
    await inbox.receive(
      message('evt_elsewhere', { customer: 'cus_linked', subscription: 'sub_3', organization: other }),
      now,
    );
    await inbox.receive(message('evt_strange', { customer: 'cus_2', subscription: null }), now);
    expect(idsOf(await inbox.ofOrganization(acme))).toEqual(['evt_linked', 'evt_moved', 'evt_named']);
  });

  it('finds what was received and never settled, the longest waiting first', async () => {
    await inbox.receive(message('evt_2'), now + 2);
    await inbox.receive(message('evt_1'), now + 1);
    await inbox.receive(message('evt_0'), now);
    await inbox.receive(message('evt_3'), now + 3);
    await inbox.settle({ provider: 'stripe', id: 'evt_0' }, { state: 'quarantined' }, now);
    expect(idsOf(await inbox.unsettled(now + 3, 10))).toEqual(['evt_1', 'evt_2']);
    const [first] = await inbox.unsettled(now + 3, 1);
    expect(first!.id).toBe('evt_1');
    expect(idsOf(await inbox.unsettled(now + 3, 1, first))).toEqual(['evt_2']);
    expect(idsOf(await inbox.unsettled(now + 3, 10, first))).toEqual(['evt_2']);
  });

  it('is paged from the newest on, by state, and no row is missing or doubled', async () => {
    const all = ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5'];
    for (const id of all) await inbox.receive(message(id), id < 'evt_4' ? now : now + 1);
    await inbox.receive(message('evt_6'), now);
    await Promise.all(all.map((id) => inbox.settle({ provider: 'stripe', id }, { state: 'quarantined' }, now)));
    const seen: BillingMessage[] = [];
    for (let page = await inbox.list({ state: 'quarantined', limit: 2 }); page.length > 0;) {
      seen.push(...page);
      page = await inbox.list({ state: 'quarantined', limit: 2, before: page.at(-1)! });
    }
    expect(idsOf(seen)).toEqual(['evt_5', 'evt_4', 'evt_3', 'evt_2', 'evt_1']);
    expect(idsOf(await inbox.list({ limit: 10 }))).toHaveLength(6);
    await inbox.settle({ provider: 'stripe', id: 'evt_5' }, { state: 'applied' }, now);
    expect(await inbox.countOpen()).toEqual({ received: 1, quarantined: 4 });
  });

  it('forgets raw texts, by whom they are about or mention, and nothing else', async () => {
    await documents.customers.claim('stripe', 'cus_2', acme, now);
    const rawOf = async (id: string) => (await inbox.find({ provider: 'stripe', id }))?.raw;
    await inbox.receive(message('evt_1', { organization: acme }), now);
    await inbox.receive(message('evt_2', { customer: 'cus_2', subscription: 'sub_2' }), now);
    await inbox.receive(message('evt_3', { customer: 'cus_3' }), now);
    expect(await inbox.forget({ organization: acme })).toBe(2);
    expect(await inbox.forget({ organization: acme })).toBe(0);
    expect([await rawOf('evt_1'), await rawOf('evt_2'), await rawOf('evt_3')]).toEqual([null, null, '{"id":"evt_3"}']);
    expect(await inbox.forget({ provider: 'other', customer: 'cus_3' })).toBe(0);
    expect(await inbox.forget({ provider: 'stripe', customer: 'cus_3' })).toBe(1);
    expect(await inbox.find({ provider: 'stripe', id: 'evt_3' })).toMatchObject({ fact, raw: null });
  });

  it.each([
    ['an address in other letters', '{"email":"Ada.L@Example.com"}', 'ada.l@example.COM', '{"email":"[erased]"}'],
    ['a name written in numbers', '{"name":"Ren\\u00e9e"}', 'Renée', '{"name":"[erased]"}'],
    ['a name among words', '{"description":"For Renée Ölund."}', 'Renée Ölund', '{"description":"For [erased]."}'],
    [
      'an address on the web',
      '{"url":"/p?email=ada%2Bx%40example.com"}',
      'ada+x@example.com',
      '{"url":"/p?email=[erased]"}',
    ],
    ['letters as numbers', '{"name":"\\u0041da Lovelace"}', 'Ada Lovelace', '{"name":"[erased]"}'],
    ['a key', '{"metadata":{"ada@example.com":1}}', 'ada@example.com', '{"metadata":{"[erased]":1}}'],
    [
      'what looks like an id',
      '{"metadata":{"ada_lovelace":"Ada_Lovelace"}}',
      'ada_lovelace',
      '{"metadata":{"[erased]":"[erased]"}}',
    ],
    [
      'what stands for an id',
      '{"customer":"ada","id":"ada","source":"/ada"}',
      'Ada',
      '{"customer":"[erased]","id":"[erased]","source":"/[erased]"}',
    ],
  ])('takes what names somebody out of a raw text, and nothing else: %s', async (_what, raw, text, without) => {
    await inbox.receive(message('evt_1', { raw }), now);
    expect(await inbox.forgetMention(text)).toBe(1);
    expect(await inbox.find({ provider: 'stripe', id: 'evt_1' })).toMatchObject({ raw: without });
    expect(await inbox.forgetMention(text)).toBe(0);
  });

  it.each([
    ['a sign that means anything elsewhere', '{"email":"adaxl@example.com"}', 'ada_l@example.com'],
    ['somebody else', '{"email":"bob@example.com"}', 'ada@example.com'],
    ['a part of a word', '{"description":"every event"}', 'Eve'],
    ['a word of the provider', '{"object":"event","data":{"object":{"status":"active"}}}', 'Active'],
    ['what such a word is called', '{"object":"event"}', 'object'],
    ['an id', '{"customer":"cus_NffrFeUfNV2Hib"}', 'cus_NffrFeUfNV2Hib'],
  ])('leaves raw texts as they are: %s', async (_what, raw, text) => {
    await inbox.receive(message('evt_1', { raw }), now);
    expect(await inbox.forgetMention(text)).toBe(0);
    expect(await inbox.find({ provider: 'stripe', id: 'evt_1' })).toMatchObject({ raw });
  });
});

describe.each(databases)("payment providers' customers in %s", (_database, make) => {
  let place: Place;
  let documents: Documents;
  beforeAll(async () => {
    place = await make();
    documents = await place.open();
  });
  afterAll(async () => {
    await documents.close();
    await place.remove();
  });

  it('belong to one organization, also when two claim them at once', async () => {
    const { customers } = documents;
    const claims = await Promise.all(
      Array.from({ length: 20 }, (_, n) => customers.claim('stripe', 'cus_1', n % 2 ? acme : other, now)),
    );
    expect(claims.filter((claim) => claim === 'new')).toHaveLength(1);
    expect(claims.filter((claim) => claim === 'known')).toHaveLength(9);
    expect(claims.filter((claim) => claim === 'taken')).toHaveLength(10);
    expect([acme, other]).toContain(await customers.organizationOf('stripe', 'cus_1'));
  });

  it('are given back by the organization that has them, and by nobody else', async () => {
    const { customers } = documents;
    await customers.claim('stripe', 'cus_2', acme, now);
    await customers.takeBack('stripe', 'cus_2', other);
    expect(await customers.organizationOf('stripe', 'cus_2')).toBe(acme);
    await customers.takeBack('stripe', 'cus_2', acme);
    expect(await customers.organizationOf('stripe', 'cus_2')).toBeUndefined();
    expect(await customers.claim('stripe', 'cus_2', other, now)).toBe('new');
  });

  it('are listed for their organization, and are different for each provider', async () => {
    const { customers } = documents;
    const third = 'aaaaaaaa-0000-4000-8000-000000000003';
    await customers.claim('stripe', 'cus_4', third, now);
    await customers.claim('stripe', 'cus_3', third, now);
    expect(await customers.claim('adyen', 'cus_3', acme, now)).toBe('new');
    expect(await customers.of(third)).toEqual([
      { provider: 'stripe', customer: 'cus_3' },
      { provider: 'stripe', customer: 'cus_4' },
    ]);
  });
});
