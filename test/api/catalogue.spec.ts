import { person, signedIn } from '../support/sign-in/people';
import { founded, path } from '../support/requests/organizations';
import { type Served, serving } from '../support/serving';

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serving({ environment: { PRODUCT_KEY: 'pulse', PLAN_PROVIDER_IDS: 'price_essential' } });
  key = await served.key();
});
afterAll(() => served.close());

const read = async (by = key) => (await served.ask('GET', '/api/v1/catalogue', { key: by })).body;
type Sold = Readonly<{ plan: string; line: string; addOn: string; terms: { organizationDefaults: object } }>;
const soldAs = ({ plans }: { plans: readonly Sold[] }, name: string) =>
  plans.find(({ line, plan }) => `${line}/${plan}` === name);

describe('GET /api/v1/catalogue', () => {
  it('shows the terms and the default settings of plans, and what add-ons and service levels include', async () => {
    const sold = await read();
    expect(soldAs(sold, 'second/solo')).toMatchObject({
      terms: {
        limits: { users: 1, contentSections: 1 },
        hardLimits: { users: 2, contentSections: 1 },
        siteDefaults: { report: { weekly: expect.any(Boolean) as boolean } },
        organizationDefaults: {
          features: { multiSite: expect.any(Boolean) as boolean },
          pulseDetails: { plan: 'solo' },
          pulseFeatures: { feedback: expect.any(Boolean) as boolean, matomoIntegration: false },
        },
        customSetDefaults: { features: { logo: expect.any(Boolean), integrations: expect.any(Boolean) } },
      },
    });
    expect(soldAs(sold, 'second/teams')).toMatchObject({
      terms: { organizationDefaults: { pulseDetails: { plan: 'teams' }, pulseFeatures: { matomoIntegration: true } } },
    });
    expect(soldAs(sold, 'first/essential')).toMatchObject({
      soldOnline: true,
      terms: { limits: { contentSections: 1 } },
    });
    const { organizationDefaults } = soldAs(sold, 'first/essential')!.terms;
    expect(Object.keys(organizationDefaults)).toEqual(['features']);
    expect(sold.addOns).toContainEqual({
      addOn: 'additionalContentSection',
      grants: { limits: { contentSections: 1 }, features: [] },
      soldOnline: false,
    });
    expect(sold.serviceLevels).toEqual([
      { serviceLevel: 'assisted', features: ['chatSupport'] },
      { serviceLevel: 'turnkey', features: ['chatSupport'] },
    ]);
  });

  it('lists, for each feature, the plans, add-ons and service levels that turn it on', async () => {
    const { features, plans, addOns } = await read();
    expect(Object.keys(features)).toHaveLength(17);
    expect(features.chatSupport).toEqual([
      { kind: 'service-level', what: 'assisted' },
      { kind: 'service-level', what: 'turnkey' },
    ]);
    expect(features.webAnalytics).toContainEqual({ kind: 'add-on', what: 'webAnalytics' });
    expect(features.matomoIntegration).toEqual([{ kind: 'plan', what: 'second/teams' }]);
    type Granting = Readonly<{ addOn: string; terms: { features: string[] }; grants: { features: string[] } }>;
    const sellers = (feature: string) => [
      ...(plans as readonly (Sold & Granting)[])
        .filter(({ terms }) => terms.features.includes(feature))
        .map(({ line, plan }) => `${line}/${plan}`),
      ...(addOns as readonly Granting[])
        .filter(({ grants }) => grants.features.includes(feature))
        .map(({ addOn }) => addOn),
    ];
    for (const feature of ['feedback', 'feedbackNotes', 'multiUser', 'qualityAssurance'])
      expect(features[feature].map(({ what }: { what: string }) => what)).toEqual(sellers(feature));
  });

  it('has the same hash for operators and other people, and shows ids of the payment provider only to operators', async () => {
    const [nora, operator] = [await person(served), await person(served, { role: 'operator' })];
    const [seen, known] = [await signedIn(served, nora), await signedIn(served, operator)];
    const [plain, whole] = [(await seen.get('/api/v1/catalogue')).body, (await known.get('/api/v1/catalogue')).body];
    expect(plain).toEqual(await read());
    expect(JSON.stringify(plain)).not.toContain('price_essential');
    expect(soldAs(whole, 'first/essential')).toMatchObject({ providerId: 'price_essential', linkedProductIds: [] });
    expect([whole.hash, plain.hash]).toEqual([plain.hash, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });
});

describe('Refusal of an unknown name', () => {
  it.each([
    ['a plan', 'PUT', '/plan', { line: 'second', plan: 'soloo' }, 'second/solo, second/teams'],
    ['an add-on', 'POST', '/add-ons', { addOn: 'feedbak' }, 'feedback'],
  ])('of %s lists the names that are for sale', async (_, method, where, body, known) => {
    const answer = await served.ask(method, path(await founded(served, { by: key }), where), { key, body });
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toContain(known);
    expect(answer.body.known).toEqual(expect.arrayContaining(known.split(', ')));
  });

  it.each([
    ['an entitlement', 'GET', '/entitlements/usres', undefined, /users, contentSections, .*chatSupport/],
    ['a resource', 'PUT', '/limits', { usres: 4 }, /users, contentSections/],
    ['a site feature', 'PATCH', '/sites/SITE', { features: { lgoo: true } }, /customCTAs, .*logo/],
  ])('of %s lists the known names', async (_, method, where, body, known) => {
    const id = await founded(served, { by: key });
    const site = (await served.ask('POST', path(id, '/sites'), { key, body: { hostname: 'a.example' } })).body.id;
    const answer = await served.ask(method, path(id, where.replace('SITE', site)), { key, body });
    expect([answer.status, answer.body.errors[0].message]).toEqual([400, expect.stringMatching(known)]);
  });
});
