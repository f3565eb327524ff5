import { randomUUID } from 'node:crypto';
import { done, founded, path } from '../../support/requests/organizations';
import { person, signedIn } from '../../support/sign-in/people';
import { eventsIn } from '../../support/serving';
import { selling } from '../sending';
import {
  billingService,
  billingServiceForSpecs,
  organizationWithBuyer,
  type OrganizationWithBuyer,
  solo,
  soloItem,
  users,
  usersItem,
  type WantedCommand,
} from './checkout-service';

const service = billingServiceForSpecs();
let acme: OrganizationWithBuyer;
beforeAll(async () => {
  acme = await organizationWithBuyer(service);
});

const started = () => service.stripe.checkouts.started;
type CatalogueAnswer = Readonly<{ plans: readonly { line: string; plan: string; terms: SoldTerms }[] }>;
type SoldTerms = Readonly<{ organizationDefaults: Readonly<{ features: readonly string[] }> }>;
const otherDigest = 'a'.repeat(64);
/** Expects that the checkout is refused. Returns the index and the reason of each command that it cannot sell. */
const notSold = async (there: OrganizationWithBuyer, ...commands: readonly WantedCommand[]) => {
  const before = started().size;
  const { status, body } = await there.buy(...commands);
  expect([status, body.type, started().size]).toEqual([409, '/problems/not-sold-online', before]);
  return (body.items as { index: number; why: string }[]).map(({ index, why }) => `${index} ${why}`);
};

describe('A checkout', () => {
  it("starts a session of the provider with the organization's id and the prices of the shown commands, and records no event", async () => {
    const events = await eventsIn(service.served);
    const { status, body } = await acme.buy(solo, users(2));
    expect([status, body]).toEqual([
      201,
      {
        id: expect.stringMatching(/^cs_/) as string,
        url: `${service.stripe.origin}/pay/${body.id}`,
        expires: expect.stringMatching(/Z$/) as string,
      },
    ]);
    const page = `https://charter.example.com/org/${acme.id}/checkout`;
    expect(started().get(body.id as string)!.fields).toEqual({
      mode: 'subscription',
      'line_items[0][price]': 'price_second_solo',
      'line_items[0][quantity]': '1',
      'line_items[1][price]': 'price_additionalUser',
      'line_items[1][quantity]': '2',
      client_reference_id: acme.id,
      'metadata[organization]': acme.id,
      'metadata[slots]': 'plan second,add-on additionalUser',
      'subscription_data[metadata][organization]': acme.id,
      success_url: `${page}?session={CHECKOUT_SESSION_ID}`,
      cancel_url: `${page}?session={CHECKOUT_SESSION_ID}&cancelled=true`,
    });
    expect(await eventsIn(service.served)).toBe(events);
  });

  it('sends the id of the linked customer to the provider, so that the provider creates no second customer', async () => {
    const there = await organizationWithBuyer(service);
    const account = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    await done(service.served, there.key, there.id, ['PUT', '/billing-account', account]);
    const { body } = await there.buy(users(1));
    expect(started().get(body.id as string)!.fields['customer']).toBe(account.customer);
  });

  it('starts with a new customer if the provider no longer knows the linked customer; the payment is granted', async () => {
    const there = await organizationWithBuyer(service);
    const account = { provider: 'stripe', customer: `cus_${randomUUID()}` };
    await done(service.served, there.key, there.id, ['PUT', '/billing-account', account]);
    service.stripe.checkouts.unknown.add(account.customer);
    const once = randomUUID();
    const { shown } = (await there.preview([solo], once)).body as { shown: string };
    const { status, body } = await there.start([solo], shown, once);
    expect([status, started().get(body.id as string)?.fields['customer']]).toEqual([201, undefined]);
    const before = started().size;
    expect([(await there.start([solo], shown, once)).body.id, started().size]).toEqual([body.id, before]);
    await there.pay(body.id as string).created([soloItem]);
    expect(await there.stateOf(body.id as string)).toBe('granted');
  });

  it('starts one session for repeated requests with the same Idempotency-Key, also if the first answer was lost', async () => {
    const there = await organizationWithBuyer(service);
    const once = randomUUID();
    const { shown } = (await there.preview([solo], once)).body as { shown: string };
    const before = started().size;
    service.stripe.lossy(true);
    expect((await there.start([solo], shown, once)).status).toBe(503);
    service.stripe.lossy(false);
    expect(started().size).toBe(before + 1);
    const first = await there.start([solo], shown, once);
    const second = await there.start([solo], shown, once);
    expect([first.status, second.text, started().size]).toEqual([201, first.text, before + 1]);
    const [newest] = [...started().values()].slice(-1).map(({ session }) => session.id);
    expect(first.body.id).toBe(newest);
    expect((await there.start([users(1)], shown, once)).status).toBe(422);
  });

  it('is refused with `not-as-shown`, and starts no session, if the stream has changed since the preview', async () => {
    const there = await organizationWithBuyer(service);
    const once = randomUUID();
    const { shown } = (await there.preview([solo], once)).body as { shown: string };
    await done(service.served, there.key, there.id, ['PATCH', '', { name: 'Acme & Sons' }]);
    const before = started().size;
    const { status, body } = await there.start([solo], shown, once);
    expect([status, body.type, body.was, body.revision]).toEqual([409, '/problems/not-as-shown', shown, 2]);
    expect([body.shown === shown, started().size]).toEqual([false, before]);
  });

  it('is refused if the domain refuses a command; the answer contains the problem of this command', async () => {
    const unknown = { type: 'AssignPlan', data: { line: 'second', plan: 'none' } };
    const { status, body } = await acme.start([unknown], otherDigest);
    expect([status, body.type, body.refused.problem.type]).toEqual([
      409,
      '/problems/not-as-shown',
      '/problems/unknown-plan',
    ]);
  });

  it('is refused with the index and the reason of every command that it cannot sell', async () => {
    const there = await organizationWithBuyer(service);
    await done(service.served, there.key, there.id, ['PUT', '/plan', { line: 'first', plan: 'professional' }]);
    const commands: readonly WantedCommand[] = [
      { type: 'RenameOrganization', data: { name: 'Acme Ltd' } },
      { type: 'AssignServiceLevel', data: { serviceLevel: 'assisted' } },
      { type: 'AssignPlan', data: { line: 'first', plan: 'professional' } },
      users(2),
      users(3),
      { type: 'AssignPlan', data: { line: 'second', plan: 'teams', effectiveAt: '2026-01-01T00:00:00.000Z' } },
      solo,
    ];
    expect(await notSold(there, ...commands)).toEqual([
      '0 not-by-checkout',
      '1 not-by-checkout',
      '2 nothing-new',
      '4 named-twice',
      '5 not-by-checkout',
    ]);
  });

  it('does not sell an item for which the organization already pays, even while the message about the payment is in quarantine', async () => {
    const there = await organizationWithBuyer(service);
    const { body } = await there.buy(solo, users(1));
    const strange = { id: 'si_x', product: 'prod_x', price: 'price_x' };
    await there.pay(body.id as string).created([soloItem, usersItem(1), strange]);
    const teams = { type: 'AssignPlan', data: { line: 'second', plan: 'teams' } };
    expect(await notSold(there, teams, users(2))).toEqual(['0 paid-already', '1 paid-already']);
    const today = { type: 'AssignPlan', data: { ...solo.data, terms: 'today' } };
    expect(await notSold(there, today)).toEqual(['0 nothing-new']);
  });

  it("does not sell today's terms of a plan that an operator has assigned, because the payment keeps the terms of that sale", async () => {
    const there = await organizationWithBuyer(service);
    const operator = await signedIn(service.served, await person(service.served, { role: 'operator' }));
    const { plans } = (await operator.get('/api/v1/catalogue')).body as CatalogueAnswer;
    const { terms } = plans.find(({ line, plan }) => line === 'second' && plan === 'solo')!;
    const { features } = terms.organizationDefaults;
    const old = { ...terms, organizationDefaults: { features }, trafficPerMonth: 7 };
    expect((await operator.send('PUT', path(there.id, '/plan'), { ...solo.data, terms: old })).status).toBe(200);
    const today = { type: 'AssignPlan', data: { ...solo.data, terms: 'today' } };
    expect(await notSold(there, today)).toEqual(['0 not-by-checkout']);
    const teams = { type: 'AssignPlan', data: { line: 'second', plan: 'teams', terms: 'today' } };
    expect((await there.buy(teams)).status).toBe(201);
  });

  it('does not sell an item without a price in the catalogue, or with a price that the provider does not know', async () => {
    service.stripe.checkouts.unknown.add('price_additionalUser');
    expect(await notSold(await organizationWithBuyer(service), solo, users(1))).toEqual(['1 no-price']);
    service.stripe.checkouts.unknown.clear();
    const plain = await billingService({ environment: { CATALOGUE_FILE: '' } });
    const there = await organizationWithBuyer(plain);
    const { body } = await there.buy(solo);
    expect(body.items).toEqual([{ index: 0, why: 'no-price' }]);
    await plain.close();
  });

  it('sells a plan of the first line at the price in PLAN_PROVIDER_IDS', async () => {
    const named = await billingService({ environment: { PLAN_PROVIDER_IDS: 'price_Essential' } });
    const there = await organizationWithBuyer(named);
    const { body } = await there.buy({ type: 'AssignPlan', data: { line: 'first', plan: 'essential' } });
    const { fields } = named.stripe.checkouts.started.get(body.id as string)!;
    expect(fields['line_items[0][price]']).toBe('price_Essential');
    await named.close();
  });
});

describe('A payment provider that does not answer, or refuses a call,', () => {
  it('causes the answer 503 with Retry-After; the log lines contain no data of the customer', async () => {
    const { served, stripe } = service;
    stripe.silent(true);
    const there = await organizationWithBuyer(service);
    const once = randomUUID();
    const { shown } = (await there.preview([solo], once)).body as { shown: string };
    const silent = await there.start([solo], shown, once);
    expect([silent.status, silent.body.type, silent.headers['retry-after']]).toEqual([
      503,
      '/problems/unavailable',
      '5',
    ]);
    stripe.silent(false);

    const session = (await there.start([solo], shown, once)).body.id as string;
    stripe.away(true);
    expect((await there.read(session)).status).toBe(503);
    stripe.away(false);
    expect(await there.stateOf(session)).toBe('open');
    expect(served.lines.join('\n')).not.toMatch(/sk_live|people\.example|cs_live/);
  });

  it('causes an answer and a log entry that do not contain the text of the refusal', async () => {
    const { served, stripe } = service;
    const there = await organizationWithBuyer(service);
    stripe.checkouts.unknown.add(there.id);
    const { status, text } = await there.buy(solo);
    expect([status, text.includes('Refused for')]).toEqual([503, false]);
    expect(served.entries()).toContainEqual(
      expect.objectContaining({
        why: 'StripeInvalidRequestError',
        code: 'resource_missing',
        param: 'client_reference_id',
      }),
    );
    expect(served.lines.join('\n')).not.toMatch(/Refused for|people\.example/);
  });
});

describe('The rights to a checkout', () => {
  const statuses = async (by: Awaited<ReturnType<typeof signedIn>>, there: OrganizationWithBuyer, session: string) => [
    (await there.start([solo], otherDigest, undefined, by)).status,
    (await there.read(session, by)).status,
  ];

  it('belong to owners alone, and end with the role', async () => {
    const { served } = service;
    const there = await organizationWithBuyer(service);
    const session = (await there.buy(solo)).body.id as string;
    for (const role of ['admin', 'member']) {
      const account = await person(served);
      await done(served, there.key, there.id, ['POST', '/members', { user: account.id, role }]);
      expect([role, ...(await statuses(await signedIn(served, account), there, session))]).toEqual([role, 403, 403]);
    }
    for (const role of ['operator', 'auditor'] as const)
      expect(await statuses(await signedIn(served, await person(served, { role })), there, session)).toEqual([
        403, 403,
      ]);
    expect(await statuses(await signedIn(served, await person(served)), there, session)).toEqual([404, 404]);
    const keys = [there.key, await served.key({ organization: there.id })];
    for (const key of keys) {
      const body = { commands: [solo], shown: otherDigest };
      expect((await served.ask('POST', path(there.id, '/checkout'), { key, body })).status).toBe(403);
      expect((await served.ask('GET', path(there.id, `/checkout/${session}`), { key })).status).toBe(403);
    }
    const other = await person(served);
    await done(
      served,
      there.key,
      there.id,
      ['POST', '/members', { user: other.id, role: 'owner' }],
      ['PATCH', `/members/${there.account.id}`, { role: 'admin' }],
    );
    expect((await there.read(session)).status).toBe(403);
  });

  it('appear in the answer of `/standing` to an owner while the organization is open', async () => {
    const { served } = service;
    const there = await organizationWithBuyer(service);
    const may = async (by = there.owner) => (await by.get(path(there.id, '/standing'))).body.may as string[];
    const operator = await signedIn(served, await person(served, { role: 'operator' }));
    expect([(await may()).includes('StartCheckout'), (await may(operator)).includes('StartCheckout')]).toEqual([
      true,
      false,
    ]);
    await done(served, there.key, there.id, ['POST', '/close', { reason: 'over' }]);
    expect(await may()).not.toContain('StartCheckout');
    expect((await there.start([solo], otherDigest)).body.type).toBe('/problems/not-as-shown');
  });

  it('do not include the checkouts of another organization', async () => {
    const [there, foreign] = [await organizationWithBuyer(service), await organizationWithBuyer(service)];
    const session = (await foreign.buy(solo)).body.id as string;
    expect((await there.read(session)).body.type).toBe('/problems/no-such-checkout');
    expect((await there.read('cs_none')).body.type).toBe('/problems/no-such-checkout');
  });

  it('do not exist without a secret key of the provider', async () => {
    const plain = await selling();
    const account = await person(plain);
    const key = await plain.key();
    const id = await founded(plain, { by: key });
    await done(plain, key, id, ['POST', '/members', { user: account.id, role: 'owner' }]);
    const owner = await signedIn(plain, account);
    const answers = [
      await owner.send('POST', path(id, '/checkout'), { commands: [solo], shown: otherDigest }),
      await owner.get(path(id, '/checkout/cs_1')),
    ];
    expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
      [404, '/problems/no-checkout'],
      [404, '/problems/no-checkout'],
    ]);
    expect((await owner.get(path(id, '/standing'))).body.may).not.toContain('StartCheckout');
    await plain.close();
  });
});

describe('A hostile request to a checkout', () => {
  it.each<[string, object]>([
    ['without a digest', { commands: [solo] }],
    ['with a malformed digest', { commands: [solo], shown: 'A'.repeat(64) }],
    ['without a command', { commands: [], shown: otherDigest }],
    ['with 21 commands', { commands: Array.from({ length: 21 }, () => solo), shown: otherDigest }],
    ['with a price of its own', { commands: [solo], shown: otherDigest, price: 'price_cheap' }],
    ['with an address of its own', { commands: [solo], shown: otherDigest, success_url: 'https://evil.example' }],
  ])('is refused: %s', async (_case, body) => {
    const { status } = await acme.owner.send('POST', path(acme.id, '/checkout'), body);
    expect(status).toBe(400);
  });

  it.each(['cs_%2e%2e', 'cs_a%2Fb', 'sub_1', 'cs_%00', 'cs_', `cs_${'a'.repeat(300)}`])(
    'never reaches the provider with the id %s',
    async (id) => {
      const before = service.stripe.requests.length;
      expect((await acme.read(id)).status).toBe(400);
      expect(service.stripe.requests).toHaveLength(before);
    },
  );

  it('is refused with 429 after ten checkouts of one person in ten minutes', async () => {
    const there = await organizationWithBuyer(service);
    const once = randomUUID();
    const { shown } = (await there.preview([solo], once)).body as { shown: string };
    for (let count = 0; count < 10; count += 1) expect((await there.start([solo], shown, undefined)).status).toBe(201);
    const before = started().size;
    const refused = await there.start([solo], shown, undefined);
    expect([refused.status, refused.headers['retry-after'] !== undefined, started().size]).toEqual([429, true, before]);
  });
});
