import { randomUUID } from 'node:crypto';
import { path } from '../../support/requests/organizations';
import { type Browser, person, signedIn, accountEventsOf } from '../../support/sign-in/people';
import { everyEventIn, type Served } from '../../support/serving';
import { type Customer, customer, selling, shopSends, stripeSends, teams, users } from '../sending';
import { message, otherMessage } from '../stripe/stripe-messages';

let served: Served;
let acme: Customer;
let operator: Browser;
let account: Awaited<ReturnType<typeof person>>;
beforeAll(async () => {
  served = await selling();
  acme = await customer(served);
  account = await person(served, { role: 'operator' });
  operator = await signedIn(served, account);
});
afterAll(() => served.close());

const strange = { id: 'si_strange', product: 'prod_Unknown', price: 'price_Unknown' };
const list = async (query = '') => (await operator.get(`/api/v1/billing/quarantine${query}`)).body;
const gaugeOf = async (name: string) => {
  const { text } = await served.ask('GET', '/metrics');
  return Number(new RegExp(`^${name}(?:\\{provider="stripe"\\})? (\\d+)$`, 'm').exec(text)?.[1]);
};
const on = (id: string, act: 'replay' | 'dismiss', body?: object) =>
  operator.send('POST', `/api/v1/billing/quarantine/${id}/${act}`, body);

describe('K9: Message that billing does not use', () => {
  it.each([
    ['of another type', () => otherMessage('evt_Invoice', 'invoice.paid', { object: 'invoice', id: 'in_1' }, 1)],
    ['of an unknown type', () => otherMessage('evt_Future', 'a.type.of.the.future', { object: 'future' }, 1)],
    ['of another Stripe account', () => ({ ...acme.created('evt_Account'), account: 'acct_other' })],
    ['of test mode', () => message('evt_Test', 'created', { ...acme.fields('active', teams), livemode: false }, 1)],
  ])('%s gets the answer 200, and changes nothing', async (_what, event) => {
    const before = await everyEventIn(served);
    const { status, body } = await stripeSends(served, event());
    expect([status, body.outcome]).toEqual([200, 'ignored']);
    expect((await stripeSends(served, event())).body.outcome).toBe('repeated');
    expect(await everyEventIn(served)).toBe(before);
    const stored = await served.charter.database.inbox.find({ provider: 'stripe', id: body.id as string });
    expect(stored).toMatchObject({ state: 'ignored', raw: null });
  });

  it("of Stripe's test mode is applied, not ignored, if PUBLIC_URL is a loopback address", async () => {
    const here = await selling({ environment: { PUBLIC_URL: 'http://localhost:3000' } });
    const there = await customer(here);
    const { body } = await stripeSends(
      here,
      message('evt_T', 'created', { ...there.fields('active', teams), livemode: false }, 1),
    );
    expect(body.outcome).toBe('applied');
    await here.close();
  });
});

describe('K9: Message that cannot be applied', () => {
  it('about an unknown customer raises an alarm, and waits until an organization is linked to the customer', async () => {
    const there = await customer(served);
    const unlinked = { ...there.fields('active', teams, users(2)), organization: undefined, customer: 'cus_Unlinked' };
    const alarmsBefore = await gaugeOf('charter_billing_quarantined_total');
    const sent = await stripeSends(served, message('evt_Unlinked', 'created', unlinked, 1));
    expect([sent.status, sent.body.outcome]).toEqual([200, 'quarantined']);

    expect(await gaugeOf('charter_billing_quarantined')).toBe(1);
    expect(await gaugeOf('charter_billing_quarantined_total')).toBe(alarmsBefore + 1);
    expect(served.entries()).toContainEqual(
      expect.objectContaining({ level: 50, message: 'evt_Unlinked', reason: 'unmapped-customer', provider: 'stripe' }),
    );
    expect((await list()).messages).toMatchObject([
      {
        id: 'evt_Unlinked',
        state: 'quarantined',
        reason: 'unmapped-customer',
        customer: 'cus_Unlinked',
        organization: null,
      },
    ]);

    const account = { provider: 'stripe', customer: 'cus_Unlinked' };
    const linked = await served.ask('PUT', path(there.organization, '/billing-account'), {
      key: there.key,
      body: account,
    });
    expect([linked.status, linked.body.events]).toEqual([200, [{ type: 'BillingAccountLinked', data: account }]]);
    await served.runtime.backgroundWork.settled();
    expect((await there.document()).plans.second).toMatchObject({ plan: 'teams' });
    expect(await there.sold()).toHaveLength(2);
    expect((await list()).messages).toEqual([]);
    expect(await gaugeOf('charter_billing_quarantined')).toBe(0);
    expect((await on('evt_Unlinked', 'replay')).body).toMatchObject({ id: 'evt_Unlinked', state: 'applied' });
    expect(await there.sold()).toHaveLength(2);
  });

  it('with an unknown price waits, but its known items are applied', async () => {
    const there = await customer(served);
    const sent = await stripeSends(served, there.updated('evt_Price', 60, 'active', [teams, strange]));
    expect([sent.status, sent.body]).toEqual([
      200,
      {
        ...{ id: 'evt_Price', outcome: 'quarantined', reason: 'unknown-price' },
        detail: expect.stringContaining('price_Unknown'),
      },
    ]);
    expect((await there.document()).plans.second).toMatchObject({ plan: 'teams' });
    const waiting = {
      id: 'evt_Price',
      state: 'quarantined',
      reason: 'unknown-price',
      unknown: [{ item: 'si_strange' }],
    };
    expect((await list()).messages).toMatchObject([waiting]);
    // a failed replay leaves the message in quarantine
    for (let failing = 0; failing < 3; failing += 1) {
      expect((await on('evt_Price', 'replay')).body).toMatchObject({ state: 'quarantined', outcome: 'quarantined' });
      expect((await list()).messages).toMatchObject([waiting]);
    }

    await served.stop();
    const mapped = await selling({ folder: served.folder, environment: { PLAN_PROVIDER_IDS: ',,,price_Unknown' } });
    const again = await signedIn(mapped, account);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => again.send('POST', '/api/v1/billing/quarantine/evt_Price/replay')),
    );
    for (const { status, body } of answers) expect([status, body.state]).toEqual([200, 'applied']);
    const { body } = await mapped.ask('GET', path(there.organization), { key: there.key });
    expect(body.addOns).toMatchObject([{ purchase: `${there.subscription}:si_strange`, quantity: 1 }]);
    const sold = await mapped.charter.organizations.query(
      `organization-${there.organization}`,
      ({ revision }) => revision,
    );
    expect(sold).toBe(2); // two events after the founding: the plan and the purchase
    await mapped.stop();
    served = await selling({ folder: served.folder });
    operator = await signedIn(served, account);
    acme = { ...acme, ...(await customer(served)) };
  });

  it('about an organization that does not exist waits; the quarantine lists the source and the id of the CloudEvent', async () => {
    const sale = {
      ...acme.sale('1', 'plan.assigned', '2025-01-01T00:00:00Z', { line: 'second', plan: 'solo' }),
      subject: randomUUID(),
    };
    const { status, body } = await shopSends(served, acme.key, sale);
    expect([status, body]).toEqual([
      200,
      {
        results: [
          {
            ...{ id: '1', outcome: 'quarantined', reason: 'no-such-organization' },
            detail: 'There is no such organization, or you have no access to it.',
          },
        ],
      },
    ]);
    const [waiting] = (await list()).messages as { id: string; provider: string; message: string }[];
    expect(waiting).toMatchObject({ provider: 'cloudevents:https://shop.example.com', message: '1' });
    expect((await on(waiting!.id, 'replay')).body).toMatchObject({ outcome: 'quarantined' });
    expect((await on(waiting!.id, 'dismiss', { reason: 'a test of theirs' })).body).toMatchObject({
      state: 'dismissed',
      detail: 'a test of theirs',
    });
  });

  it('waits if its plan is unknown', async () => {
    const sale = acme.sale('2', 'plan.assigned', '2025-01-01T00:00:00Z', { line: 'second', plan: 'golden' });
    expect((await shopSends(served, acme.key, sale)).body.results).toEqual([
      {
        ...{ id: '2', outcome: 'quarantined', reason: 'unknown-plan' },
        detail: expect.stringMatching(/^There is no plan second\/golden\. For sale: /),
      },
    ]);
    const [{ id }] = (await list()).messages;
    expect((await on(id, 'dismiss', { reason: 'never sold' })).status).toBe(200);
  });

  it('can be dismissed with a reason; its unknown item then no longer keeps the earlier plan in force', async () => {
    const there = await customer(served);
    await stripeSends(served, there.created('evt_D1', 0, [teams]));
    await stripeSends(served, there.updated('evt_D2', 60, 'active', [users(1), strange]));
    // the plan stays, because the unknown item may be a plan
    expect((await there.document()).plans.second).toMatchObject({ plan: 'teams' });
    expect((await on('evt_D2', 'dismiss')).status).toBe(400);
    const dismissed = await on('evt_D2', 'dismiss', { reason: 'a gift' });
    expect(dismissed.body).toMatchObject({ id: 'evt_D2', state: 'dismissed', reason: 'dismissed', detail: 'a gift' });
    expect((await there.document()).plans.second).toBeNull();
    expect((await on('evt_D2', 'dismiss', { reason: 'again' })).body).toMatchObject({ detail: 'a gift' });
    expect((await on('evt_D2', 'replay')).body.type).toBe('/problems/not-quarantined');
    expect((await on('evt_D1', 'dismiss', { reason: 'no' })).status).toBe(409);
    expect((await on('evt_None', 'replay')).body.type).toBe('/problems/no-such-message');
    expect((await stripeSends(served, there.updated('evt_D2', 60, 'active', [users(1), strange]))).body.outcome).toBe(
      'repeated',
    );
  });

  it("can be replayed or dismissed by an operator, and the operator's stream records the request", async () => {
    const events = (await accountEventsOf(served, account)).filter(({ type }) => type.startsWith('Billing'));
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'BillingMessageReplayed', data: { provider: 'stripe', message: 'evt_Price' } }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'BillingMessageDismissed', data: { provider: 'cloudevents', message: '1' } }),
    );
    expect(served.entries()).toContainEqual(
      expect.objectContaining({ result: 'billing-message-dismissed', message: 'evt_D2' }),
    );
  });

  it('can be listed page by page, and by state', async () => {
    const there = await customer(served);
    const unlinked = { ...there.fields('active', teams), organization: undefined, customer: 'cus_Pages' };
    for (const index of [1, 2, 3]) await stripeSends(served, message(`evt_Page${index}`, 'updated', unlinked, index));
    const first = await list('?limit=2');
    expect(first.messages.map(({ id }: { id: string }) => id)).toEqual(['evt_Page3', 'evt_Page2']);
    const second = await list(`?limit=2&cursor=${first.next}`);
    expect([second.messages.map(({ id }: { id: string }) => id), second.next]).toEqual([['evt_Page1'], null]);
    expect((await list('?state=dismissed')).messages).toHaveLength(3);
    expect((await operator.get('/api/v1/billing/quarantine?cursor=x')).status).toBe(400);
    expect((await operator.get('/api/v1/billing/quarantine?state=lost')).status).toBe(400);
  });

  it('can be listed and dismissed if its source and its id are as long as possible', async () => {
    const bound = await served.key({ scopes: ['billing:write'], organization: acme.organization });
    const time = '2025-01-01T00:00:00Z';
    for (const first of ['一', '二']) {
      const sale = acme.sale(first.padEnd(255, '長'), 'plan.assigned', time, { line: 'second', plan: 'golden' });
      const sent = await shopSends(served, bound, { ...sale, source: '源'.repeat(200) });
      expect(sent.body.results).toMatchObject([{ outcome: 'quarantined' }]);
    }
    const first = await list('?limit=1');
    const second = await list(`?limit=1&cursor=${first.next}`);
    for (const { messages } of [first, second])
      expect((await on(messages[0].id, 'dismiss', { reason: 'never sold' })).status).toBe(200);
  });

  it('T1: leaves no personal data in events, log lines and answers, and its text can be erased', async () => {
    const there = await customer(served);
    const event = message('evt_Ada', 'created', { ...there.fields('active', teams, strange) }, 1);
    const canaries = ['Ada Lovelace', 'ada@acme.example.com', '+44 20 7946 0000'];
    Object.assign(event.data.object, { description: `for ${canaries.join(' ')}`, customer_email: canaries[1] });
    await stripeSends(served, event);
    const answers = [
      JSON.stringify(await list('?limit=100')),
      (await on('evt_Ada', 'replay')).text,
      served.lines.join('\n'),
    ];
    const { log, database } = served.charter;
    for await (const { data, metadata } of log.readAll({})) answers.push(JSON.stringify([data, metadata]));
    for (const canary of canaries) expect(answers.filter((text) => text.includes(canary))).toEqual([]);
    const named = { provider: 'stripe', id: 'evt_Ada' };
    expect((await database.inbox.find(named))?.raw).toContain('Ada Lovelace');
    expect(await database.inbox.forget({ organization: there.organization })).toBeGreaterThan(0);
    expect(await database.inbox.find(named)).toMatchObject({ raw: null, state: 'quarantined' });
    expect((await on('evt_Ada', 'replay')).body).toMatchObject({ outcome: 'quarantined', reason: 'unknown-price' });
  });
});
