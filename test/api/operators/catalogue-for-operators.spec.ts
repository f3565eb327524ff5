import { readFileSync } from 'node:fs';
import { builtInCatalogue } from '@charter/catalogue';
import { otherCatalogue } from '../../support/other-catalogue';
import { done, founded, path } from '../../support/requests/organizations';
import { newFolder, type Served, serving, settled } from '../../support/serving';
import { type Browser, person, signedIn } from '../../support/sign-in/people';

const builtIn = readFileSync(builtInCatalogue, 'utf8');
const operatorOf = async (served: Served) => signedIn(served, await person(served, { role: 'operator' }));

describe('POST /api/v1/catalogue/check', () => {
  let served: Served;
  let operator: Browser;
  beforeAll(async () => {
    served = await serving({ environment: { PLAN_PROVIDER_IDS: 'price_essential', RATE_LIMITS: 'off' } });
    operator = await operatorOf(served);
  });
  afterAll(() => served.close());

  const check = (body: object) => operator.send('POST', '/api/v1/catalogue/check', body);

  it('finds no problem in the built-in catalogue', async () => {
    const { status, body } = await check({ text: builtIn });
    expect([status, body]).toEqual([200, { ok: true, problems: [] }]);
  });

  it('answers with the path, the line and the message of each problem', async () => {
    const text = builtIn.replace('"users": 5', '"users": true').replace('"first/essential"', '"first/Essential"');
    const { status, body } = await check({ text });
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    expect([status, body]).toMatchObject([
      200,
      {
        ok: false,
        problems: [
          { path: 'plans.first/Essential', line: lineOf('"first/Essential"'), message: /is not a plan/ },
          { path: 'plans.second/teams.limits.users', line: lineOf('"users": true'), message: /must be a number/ },
        ].map(({ message, ...problem }) => ({ ...problem, message: expect.stringMatching(message) as string })),
      },
    ]);
    expect(body.problems).toHaveLength(2);
    expect(body).not.toHaveProperty('more');
  });

  it('finds an id of the payment provider that is in the text and also in the setting PLAN_PROVIDER_IDS', async () => {
    const file = JSON.parse(builtIn) as { plans: Record<string, { linkedProductIds: string[] }> };
    file.plans['second/solo']!.linkedProductIds.push('price_essential');
    expect((await check({ text: JSON.stringify(file) })).body).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringMatching(/"price_essential" is sold twice/) as string }],
    });
  });

  it.each<[string, string, RegExp]>([
    ['an empty text', '', /^is not JSON/],
    ['no JSON', 'plans: all of them', /^is not JSON/],
    ['the JSON value null', 'null', /must be an object/],
    ['a prototype name', `{"__proto__": {}, ${builtIn.slice(1)}`, /^is not a name$/],
    ['a repeated key', builtIn.replace('"plans": {', '"addOns": {}, "plans": {'), /^appears twice$/],
    ['50,000 levels', '['.repeat(50_000), /^is nested too deeply$/],
    ['a byte order mark', `\ufeff${builtIn}`, /^is not JSON/],
    ['half of a surrogate pair in an escape', '{"\\ud800": 1}', /^is not a field/],
  ])('answers 200 with a problem for %s', async (_, text, message) => {
    const { status, body } = await check({ text });
    expect([status, body.ok]).toEqual([200, false]);
    const problems = body.problems as { path: string; message: string }[];
    expect(problems.map((problem) => problem.message)).toContainEqual(expect.stringMatching(message));
    expect(problems.filter((problem) => !problem.path.isWellFormed())).toEqual([]);
  });

  const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":1`).join(',');
  it.each([
    ['thousands of unknown keys', `{${keys(6_000)}}`, 6_003],
    ['thousands of wrong values', builtIn.replace('"plans": {', `"plans": {${keys(6_000)},`), 6_000],
    ['a long key with many problems', `{"${'x'.repeat(60_000)}":{${'"a":1,'.repeat(3_000)}"a":1}}`, 3_000],
  ])('names at most 100 problems and counts the further ones, for a text with %s', async (_, text, atLeast) => {
    const { status, body, text: answer } = await check({ text });
    expect([status, body.ok, (body.problems as object[]).length]).toEqual([200, false, 100]);
    expect(body.more as number).toBeGreaterThanOrEqual(atLeast - 100);
    expect(answer.length).toBeLessThan(150_000);
  });

  it.each<[string, object, number]>([
    ['no field `text`', {}, 400],
    ['an object in place of a text', { text: JSON.parse(builtIn) as object }, 400],
    ['an unknown field', { text: builtIn, file: '/etc/passwd' }, 400],
    ['more than 100 KiB', { text: ' '.repeat(100 * 1024) }, 413],
  ])('refuses a body with %s', async (_, body, status) => {
    const answer = await check(body);
    expect([answer.status, answer.body.type]).toEqual([
      status,
      status === 413 ? '/problems/too-large' : '/problems/malformed',
    ]);
  });

  it('stores nothing: the catalogue for sale stays the same', async () => {
    const hash = async () => (await operator.get('/api/v1/catalogue')).body.hash as string;
    const before = await hash();
    expect((await check({ text: builtIn.replace('"users": 5', '"users": 9') })).body.ok).toBe(true);
    expect(await hash()).toBe(before);
  });
});

type Version = Readonly<{ today: boolean; holders: number; terms: { limits: { users: number } } }>;
type Held = Readonly<{ line: string; plan: string; holders: number; versions: number; terms: Version[] }>;

describe('GET /api/v1/catalogue/terms', () => {
  const terms = async (served: Served) => {
    await settled(served);
    const { status, body } = await (await operatorOf(served)).get('/api/v1/catalogue/terms');
    expect(status).toBe(200);
    return body.plans as readonly Held[];
  };
  const heldAs = (plans: readonly Held[], name: string) => plans.find(({ line, plan }) => `${line}/${plan}` === name);

  it('counts the organizations that hold each plan, on the terms of today and on older terms', async () => {
    const folder = newFolder();
    const before = await serving({ folder });
    const by = await before.key();
    const assign = async (served: Served, id: string, plan: string) =>
      done(served, by, id, ['PUT', '/plan', { line: 'second', plan }]);
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => founded(before, { by })));
    for (const id of [first!, second!, third!]) await assign(before, id, 'solo');
    expect(heldAs(await terms(before), 'second/solo')).toMatchObject({
      ...{ forSale: true, holders: 3, versions: 1, terms: [{ today: true, holders: 3 }] },
    });
    expect(heldAs(await terms(before), 'second/light')).toEqual({
      ...{ line: 'second', plan: 'light', forSale: true, holders: 0, versions: 0, terms: [] },
    });
    await before.stop();

    const environment = otherCatalogue(folder, ({ plans }) => (plans['second/solo'].limits.users = 2));
    const after = await serving({ folder, environment });
    await done(after, by, third!, ['PUT', '/plan', { line: 'second', plan: 'solo', terms: 'today' }]);
    await assign(after, await founded(after, { by }), 'teams');
    const special = { ...heldAs(await terms(after), 'second/teams')!.terms[0]!.terms, trafficPerMonth: 7 };
    const sold = { type: 'AssignPlan', data: { line: 'second', plan: 'gone', terms: special } };
    const operator = await operatorOf(after);
    expect((await operator.send('POST', path(second!, '/commands'), { commands: [sold] })).status).toBe(200);

    const plans = await terms(after);
    const solo = heldAs(plans, 'second/solo')!;
    expect(solo).toMatchObject({ holders: 2, versions: 2 });
    expect(solo.terms.map((one) => [one.terms.limits.users, one.today, one.holders]).sort()).toEqual([
      [1, false, 1],
      [2, true, 1],
    ]);
    expect(heldAs(plans, 'second/teams')).toMatchObject({ holders: 1, versions: 1, terms: [{ today: true }] });
    expect(plans.at(-1)).toEqual({
      ...{ line: 'second', plan: 'gone', forSale: false, holders: 1, versions: 1 },
      terms: [{ today: false, holders: 1, terms: special }],
    });
    await done(after, by, first!, ['DELETE', '/plan/second']);
    expect(heldAs(await terms(after), 'second/solo')).toMatchObject({ holders: 1, versions: 1 });
    await after.close();
  });

  it("shows at most 100 versions of a plan's terms, counts the further versions in `more`, and counts the holders of all versions", async () => {
    const served = await serving({ environment: { RATE_LIMITS: 'off' } });
    const by = await served.key();
    const operator = await operatorOf(served);
    const { plans } = (await operator.get('/api/v1/catalogue')).body as {
      plans: { line: string; plan: string; terms: { organizationDefaults: { features: object } } }[];
    };
    const solo = plans.find(({ line, plan }) => `${line}/${plan}` === 'second/solo')!.terms;
    const own = { ...solo, organizationDefaults: { features: solo.organizationDefaults.features } };
    for (let trafficPerMonth = 1; trafficPerMonth <= 102; trafficPerMonth += 1) {
      const commands = [
        { type: 'AssignPlan', data: { line: 'second', plan: 'solo', terms: { ...own, trafficPerMonth } } },
      ];
      const id = await founded(served, { by });
      expect((await operator.send('POST', path(id, '/commands'), { commands })).status).toBe(200);
    }
    const held = heldAs(await terms(served), 'second/solo')!;
    expect(held).toMatchObject({ holders: 102, versions: 102, more: 2 });
    expect(held.terms).toHaveLength(100);
    await served.close();
  });
});
