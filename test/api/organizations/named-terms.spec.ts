import { randomUUID } from 'node:crypto';
import { otherCatalogue } from '../../support/other-catalogue';
import { done, founded, path } from '../../support/requests/organizations';
import { eventsOf, newFolder, type Served, serving } from '../../support/serving';
import { type Browser, person, signedIn } from '../../support/sign-in/people';

type Terms = Readonly<{ limits: object; features: readonly string[]; trafficPerMonth: number }>;

const operatorOf = async (served: Served) => signedIn(served, await person(served, { role: 'operator' }));
/** The terms of second/solo in today's catalogue, in the form that commands and events use. */
async function soloTerms(by: Browser): Promise<Terms> {
  const { plans } = (await by.get('/api/v1/catalogue')).body as {
    plans: { plan: string; line: string; terms: { organizationDefaults: { features: object } } }[];
  };
  const { terms } = plans.find(({ line, plan }) => line === 'second' && plan === 'solo')!;
  const { features } = terms.organizationDefaults;
  return { ...terms, organizationDefaults: { features } } as unknown as Terms;
}
const salesOf = async (served: Served, id: string) =>
  (await eventsOf(served, `organization-${id}`)).filter(({ type }) => /^(PlanAssigned|AddOnPurchased)$/.test(type));
const limitOf = async (by: Browser, id: string, resource: string) =>
  (await by.get(path(id, '/entitlements'))).body.limits[resource].limit as number | null;

describe('Terms that a command names', () => {
  let served: Served;
  let key: string;
  let operator: Browser;
  let solo: Terms;
  beforeAll(async () => {
    served = await serving({ environment: { RATE_LIMITS: 'off' } });
    key = await served.key();
    operator = await operatorOf(served);
    solo = await soloTerms(operator);
  });
  afterAll(() => served.close());

  const grants = { limits: { users: 4 }, features: ['feedback'] };
  const withUsers = (users: number): Terms => ({ ...solo, limits: { ...solo.limits, users }, hardLimits: {} }) as Terms;
  const plan = (terms: unknown) => ({ line: 'second', plan: 'solo', terms });
  const addOn = (own: unknown) => ({ addOn: 'additionalUser', quantity: 2, grants: own });
  const ways = [
    ['the route of plans', (id: string, by: Browser) => by.send('PUT', path(id, '/plan'), plan(withUsers(5)))],
    [
      'a list of commands',
      (id: string, by: Browser) =>
        by.send('POST', path(id, '/commands'), { commands: [{ type: 'AssignPlan', data: plan(withUsers(5)) }] }),
    ],
  ] as const;

  it.each(ways)('are recorded unchanged and take effect, if an operator sends them through %s', async (_, send) => {
    const id = await founded(served, { by: key });
    expect((await send(id, operator)).status).toBe(200);
    expect((await salesOf(served, id)).map(({ data }) => data)).toMatchObject([
      { line: 'second', plan: 'solo', terms: withUsers(5) },
    ]);
    expect(await limitOf(operator, id, 'users')).toBe(5);
  });

  it('are recorded for an add-on, and multiplied by its quantity', async () => {
    const id = await founded(served, { by: key });
    await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
    const before = (await limitOf(operator, id, 'users'))!;
    expect((await operator.send('POST', path(id, '/add-ons'), addOn(grants))).status).toBe(201);
    expect((await salesOf(served, id))[1]!.data).toMatchObject({ addOn: 'additionalUser', quantity: 2, grants });
    const { body } = await operator.get(path(id, '/entitlements/users'));
    expect([body.configured ?? body.limit, before]).toEqual([before + 8, before]);
  });

  it('are refused for API keys and owners; an owner may still preview the effect of a plan on such terms', async () => {
    const id = await founded(served, { by: key });
    const owner = await person(served);
    await done(served, key, id, ['POST', '/members', { user: owner.id, role: 'owner' }]);
    const page = await signedIn(served, owner);
    const commands = [{ type: 'AssignPlan', data: plan(withUsers(5)) }];
    const sent = [
      await served.ask('PUT', path(id, '/plan'), { key, body: plan(withUsers(5)) }),
      await served.ask('PUT', path(id, '/plan'), { key, body: plan({ termsOf: 0 }) }),
      await served.ask('POST', path(id, '/add-ons'), { key, body: addOn(grants) }),
      await served.ask('POST', path(id, '/commands'), { key, body: { commands } }),
      await page.send('PUT', path(id, '/plan'), plan(withUsers(5))),
      await page.send('POST', path(id, '/commands'), { commands }),
    ];
    expect(sent.map(({ status, body }) => [status, body.type])).toEqual(sent.map(() => [403, '/problems/not-allowed']));
    expect(sent.slice(0, 4).map(({ body }) => body.takes as unknown)).toEqual([1, 2, 3, 4].map(() => ['operator']));
    expect(await salesOf(served, id)).toEqual([]);
    const preview = await page.send('POST', path(id, '/preview'), { commands });
    expect([preview.status, preview.body]).toMatchObject([
      200,
      { may: [{ index: 0, may: false }], limits: { users: { after: { limit: 5 } } } },
    ]);
  });

  const without = (field: string) => Object.fromEntries(Object.entries(solo).filter(([name]) => name !== field));
  it.each<[string, () => unknown]>([
    ['a text', () => 'tomorrow'],
    ['null', () => null],
    ['a list', () => []],
    ['an empty object', () => ({})],
    ['terms without `features`', () => without('features')],
    ['terms with an unknown field', () => ({ ...solo, price: 1 })],
    ['terms with a product-specific field of the catalogue', () => ({ ...solo, pulseFeatures: {} })],
    ['a negative limit', () => ({ ...solo, limits: { users: -1 } })],
    ['a limit with a fraction', () => ({ ...solo, limits: { users: 1.5 } })],
    ['an unknown limit', () => ({ ...solo, limits: { seats: 1 } })],
    ['an unknown feature', () => ({ ...solo, features: ['everything'] })],
    ['terms beside `termsOf`', () => ({ ...solo, termsOf: 1 })],
    ['a negative `termsOf`', () => ({ termsOf: -1 })],
    ['a text as `termsOf`', () => ({ termsOf: '1' })],
  ])('get the answer 400 if they are %s, also for an operator', async (_, terms) => {
    const id = await founded(served, { by: key });
    const commands = [{ type: 'AssignPlan', data: plan(terms()) }];
    const answers = [
      await operator.send('PUT', path(id, '/plan'), plan(terms())),
      await operator.send('POST', path(id, '/commands'), { commands }),
      await operator.send('POST', path(id, '/preview'), { commands }),
      await operator.send('POST', path(id, '/add-ons'), addOn(terms())),
    ];
    expect(answers.map(({ status, body }) => [status, body.type])).toEqual(
      answers.map(() => [400, '/problems/malformed']),
    );
    expect(await salesOf(served, id)).toEqual([]);
  });

  it('get the answer 404 if `termsOf` names an event that is not a sale of the plan', async () => {
    const id = await founded(served, { by: key });
    await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
    for (const termsOf of [0, 1, 9]) {
      const { status, body } = await operator.send('PUT', path(id, '/plan'), plan({ termsOf }));
      expect([termsOf, status, body.type]).toEqual([termsOf, 404, '/problems/no-such-sale']);
    }
  });
});

describe('Undo after the catalogue has changed', () => {
  it('restores the terms and grants of the earlier sales, and not those of the new catalogue', async () => {
    const folder = newFolder();
    const before = await serving({ folder });
    const key = await before.key();
    const id = await founded(before, { by: key });
    await done(
      before,
      key,
      id,
      ['PUT', '/plan', { line: 'second', plan: 'solo' }],
      ['PUT', '/plan', { line: 'second', plan: 'teams' }],
      ['POST', '/add-ons', { addOn: 'additionalContentSection', quantity: 2, purchase: 'p-1' }],
      ['DELETE', '/add-ons/p-1'],
    );
    const sold = (await salesOf(before, id)).map(({ data }) => data as { terms?: Terms; grants?: object });
    await before.stop();

    const environment = otherCatalogue(folder, ({ plans, addOns }) => {
      plans['second/solo'].limits.users = 2;
      plans['second/solo'].trafficPerMonth = 7;
      addOns.additionalContentSection.grants.limits.contentSections = 7;
    });
    const after = await serving({ folder, environment });
    const operator = await operatorOf(after);
    expect((await soloTerms(operator)).limits).toMatchObject({ users: 2 });

    /** Undoes an event, and commits exactly what the undo has shown. */
    const undone = async (event: number) => {
      const once = { headers: { 'Idempotency-Key': randomUUID() } };
      const { status, body } = await operator.send('POST', path(id, '/undo'), { event }, once);
      expect(status).toBe(200);
      const { commands, preview } = body as { commands: object[]; preview: { shown: string } };
      const made = await operator.send('POST', path(id, '/commands'), { commands, shown: preview.shown }, once);
      expect(made.status).toBe(200);
      return body;
    };
    expect(await undone(2)).toMatchObject({
      exact: true,
      commands: [{ type: 'AssignPlan', data: { line: 'second', plan: 'solo', terms: { termsOf: 1 } } }],
      preview: { limits: { users: { after: { limit: 1 } } } },
    });
    expect(await undone(4)).toMatchObject({
      commands: [{ type: 'PurchaseAddOn', data: { addOn: 'additionalContentSection', grants: { termsOf: 3 } } }],
    });
    const [, , , plan, addOn] = (await salesOf(after, id)).map(
      ({ data }) => data as { terms?: Terms; grants?: object },
    );
    expect(plan).toMatchObject({ plan: 'solo', terms: sold[0]!.terms });
    expect(addOn).toMatchObject({ addOn: 'additionalContentSection', grants: sold[2]!.grants });
    expect(await limitOf(operator, id, 'users')).toBe(1);
    await after.close();
  });
});
