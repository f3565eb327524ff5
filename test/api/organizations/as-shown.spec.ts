import { randomUUID } from 'node:crypto';
import type { Answer } from '../../support/requests/http';
import { done, founded, path } from '../../support/requests/organizations';
import { accountEventsOf, person, signedIn } from '../../support/sign-in/people';
import { eventsIn, type Served, serving } from '../../support/serving';

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
});
afterAll(() => served.close());

const DAY_MS = 86_400_000;
const solo = { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } };
const rename = (name: string) => ({ type: 'RenameOrganization', data: { name } });
const unknownPlan = { type: 'AssignPlan', data: { line: 'second', plan: 'none' } };

type Options = Readonly<{ to?: Served; by?: string; query?: string; once?: string }>;
const sent = (commands: readonly object[], { once }: Options, more: object = {}) => ({
  body: { commands, ...more },
  ...(once !== undefined && { headers: { 'Idempotency-Key': once } }),
});
const preview = (id: string, commands: readonly object[], options: Options = {}) =>
  (options.to ?? served).ask('POST', path(id, `/preview${options.query ?? ''}`), {
    ...{ key: options.by ?? key, ...sent(commands, options) },
  });
const commit = (id: string, commands: readonly object[], shown: string, options: Options = {}) =>
  (options.to ?? served).ask('POST', path(id, '/commands'), {
    ...{ key: options.by ?? key, ...sent(commands, options, { shown }) },
  });

/** Founds an organization with the plan `second/teams` and three members. */
async function teams(): Promise<string> {
  const id = await founded(served, { by: key });
  await done(
    served,
    key,
    id,
    ['PUT', '/plan', { line: 'second', plan: 'teams' }],
    ...[1, 2, 3].map(() => ['POST', '/members', { user: randomUUID(), role: 'member' }] as const),
  );
  return id;
}

/** The data of the events in an answer, with `now` instead of the moment of the sale. */
const shownData = ({ body }: Answer) =>
  (body.events as { data: Record<string, unknown> }[]).map(({ data }) =>
    'effectiveAt' in data ? { ...data, effectiveAt: 'now' } : data,
  );

describe('A preview', () => {
  it('shows the events, the limits with their reasons, and the changes of the document', async () => {
    const id = await teams();
    const { status, body } = await preview(id, [rename('Acme Ltd'), solo]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      revision: 4,
      shown: expect.stringMatching(/^[0-9a-f]{64}$/),
      events: [
        { type: 'OrganizationRenamed', data: { name: 'Acme Ltd' }, command: 0 },
        { type: 'PlanAssigned', data: { plan: 'solo', effectiveAt: 'now' }, command: 1 },
      ],
      limits: {
        users: {
          before: { limit: 5, used: 3, over: 0, because: [{ kind: 'plan', what: 'second/teams', event: 1 }, {}] },
          after: { limit: 1, used: 3, over: 2, because: [{ kind: 'plan', what: 'second/solo', command: 1 }, {}] },
        },
      },
      features: { lost: expect.arrayContaining(['matomoIntegration']) },
    });
    expect(body.state).toContainEqual({ op: 'replace', path: '/name', before: 'Acme', value: 'Acme Ltd' });
    expect((await served.ask('GET', path(id), { key })).body).toMatchObject({ revision: 4, name: 'Acme' });
  });

  it('with lenient=true continues after refused commands, names each refused command, and has no digest', async () => {
    const id = await teams();
    const commands = [unknownPlan, rename('Acme Ltd'), { type: 'RemoveMember', data: { member: randomUUID() } }];
    const { status, body } = await preview(id, commands, { query: '?lenient=true' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      events: [{ type: 'OrganizationRenamed', command: 1 }],
      refused: { index: 0, problem: { type: '/problems/unknown-plan', status: 409, index: 0 } },
      alsoRefused: [{ index: 2, problem: { type: '/problems/no-such-member', status: 404 } }],
    });
    expect(body.shown).toBeUndefined();
    expect(await preview(id, commands)).toMatchObject({ status: 409, body: { type: '/problems/unknown-plan' } });
  });

  it('of an organization that does not exist is refused with 404, with or without lenient=true', async () => {
    for (const query of ['', '?lenient=true'])
      expect(await preview(randomUUID(), [rename('Acme Ltd')], { query })).toMatchObject({
        status: 404,
        body: { type: '/problems/no-such-organization' },
      });
  });

  it('says for each command whether the caller may execute it, and which roles and scopes have this right', async () => {
    const [owner, admin] = [await person(served), await person(served)];
    const id = await founded(served, { by: key, owner: owner.id });
    await done(served, key, id, ['POST', '/members', { user: admin.id, role: 'admin' }]);
    const page = await signedIn(served, admin);
    const commands = [
      rename('Acme Ltd'),
      { type: 'AddMember', data: { member: randomUUID(), role: 'owner' } },
      { type: 'ChangeRole', data: { member: owner.id, role: 'member' } },
      solo,
    ];
    const { body } = await page.send('POST', path(id, '/preview'), { commands });
    expect(body.may).toEqual([
      { index: 0, may: true, takes: ['admin', 'owner', 'operator', 'organizations:write'] },
      { index: 1, may: false, takes: ['owner', 'operator', 'organizations:write'] },
      { index: 2, may: false, takes: ['owner', 'operator', 'organizations:write'] },
      { index: 3, may: false, takes: ['operator', 'billing:write'] },
    ]);
  });

  it('of an earlier state requires the right to read the history, and Charter records the preview as a read', async () => {
    const [owner, member] = [await person(served), await person(served)];
    const id = await founded(served, { by: key, owner: owner.id });
    await done(
      served,
      key,
      id,
      ['PUT', '/plan', { line: 'second', plan: 'teams' }],
      ['POST', '/members', { user: member.id, role: 'member' }],
    );
    const asOf = path(id, '/preview?asOf=1');
    const body = { commands: [solo] };
    expect((await (await signedIn(served, member)).send('POST', asOf, body)).status).toBe(403);
    const past = await (await signedIn(served, owner)).send('POST', asOf, body);
    expect(past).toMatchObject({
      status: 200,
      body: { revision: 1, limits: { users: { before: { used: 1 }, after: { limit: 1, used: 1 } } } },
    });
    expect(past.body.shown).toBeUndefined();
    const reads = (await accountEventsOf(served, owner)).filter(({ type }) => type === 'HistoryRead');
    expect(reads.map(({ data }) => data)).toEqual([{ organization: id }]);
    expect(await preview(id, [solo], { query: '?asOf=9' })).toMatchObject({
      ...{ status: 400, body: { type: '/problems/unknown-revision' } },
    });
    expect((await preview(id, [solo], { query: '?asOf=2020-01-01T00:00:00Z' })).status).toBe(404);
  });

  it('with `valid` decides the commands at that moment, even if an event was recorded later', async () => {
    const id = await founded(served, { by: key });
    await done(
      served,
      key,
      id,
      ['PUT', '/plan', { line: 'second', plan: 'solo' }],
      ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }],
      ['PUT', '/limits/override', { reason: 'a trial', until: new Date(served.clock.now() + DAY_MS).toISOString() }],
    );
    const within = new Date(served.clock.now() + DAY_MS / 2).toISOString();
    served.clock.advance(2 * DAY_MS);
    await done(served, key, id, ['PATCH', '', { name: 'Later' }]);
    const commands = [1, 2, 3].map(() => ({ type: 'AddMember', data: { member: randomUUID(), role: 'member' } }));
    const { status } = await preview(id, commands, { query: `?valid=${within}` });
    expect(status).toBe(200);
    expect((await preview(id, commands)).status).toBe(409);
  });

  it('on the terms of an earlier sale requires the right to read the history, because these terms are part of it', async () => {
    const [owner, member] = [await person(served), await person(served)];
    const id = await founded(served, { by: key, owner: owner.id });
    await done(
      served,
      key,
      id,
      ['POST', '/members', { user: member.id, role: 'member' }],
      ['PUT', '/plan', { line: 'second', plan: 'solo' }],
      ['POST', '/add-ons', { addOn: 'feedback', purchase: 'p-1' }],
    );
    const [hers, his] = [await signedIn(served, owner), await signedIn(served, member)];
    const reader = await served.key({ scopes: ['organizations:read'] });
    for (const command of [
      { type: 'AssignPlan', data: { line: 'second', plan: 'solo', terms: { termsOf: 3 } } },
      { type: 'PurchaseAddOn', data: { addOn: 'feedback', purchase: 'p-2', grants: { termsOf: 4 } } },
    ]) {
      const body = { commands: [rename('Acme Ltd'), command] };
      expect(await his.send('POST', path(id, '/preview'), body)).toMatchObject({
        ...{ status: 403, body: { type: '/problems/not-allowed', takes: expect.arrayContaining(['audit:read']) } },
      });
      expect((await preview(id, body.commands, { by: reader })).status).toBe(403);
      expect((await hers.send('POST', path(id, '/preview'), body)).status).toBe(200);
    }
  });

  it.each(['', '?asOf=0'])(
    'with %j begins in its own turn of the event loop, so that other requests can run between many previews',
    async (query) => {
      let turn = 0;
      const turns: number[] = [];
      const noted = (catalogue: Served['charter']['catalogue']): Served['charter']['catalogue'] => ({
        ...catalogue,
        terms: (line, plan) => {
          turns.push(turn);
          return catalogue.terms(line, plan);
        },
      });
      const to = await serving({ between: (stores) => ({ ...stores, catalogue: noted(stores.catalogue) }) });
      const by = await to.key();
      const id = await founded(to, { by });
      const all = (request: () => Promise<Answer>) => Promise.all(Array.from({ length: 30 }, request));
      await all(() => to.ask('GET', '/health/live')); // opens the connections before the measured requests
      const count = () => {
        turn += 1;
        counting = setImmediate(count);
      };
      let counting = setImmediate(count);
      const answers = await all(() => preview(id, [solo], { to, by, query }));
      clearImmediate(counting);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      expect(new Set(turns).size).toBeGreaterThanOrEqual(29); // the first preview may share the turn of the second
      await to.close();
    },
  );

  it.each(['?lenient=yes', '?lenient=', '?asOf=-1', '?valid=2026-02-30', '?shown=1'])(
    'is refused with 400 for the query %s',
    async (query) => {
      const id = await founded(served, { by: key });
      expect(await preview(id, [rename('Acme Ltd')], { query })).toMatchObject({
        ...{ status: 400, body: { type: '/problems/malformed' } },
      });
    },
  );
});

describe('Commands with the digest of a preview', () => {
  it('make Charter record exactly the events that the preview has shown', async () => {
    const id = await teams();
    const commands = [solo, rename('Acme Ltd'), { type: 'EndPlan', data: { line: 'second' } }, solo];
    const shown = await preview(id, commands);
    served.clock.advance(60_000);
    const made = await commit(id, commands, shown.body.shown as string);
    expect([made.status, made.body.revision]).toEqual([200, 8]);
    expect(shownData(made)).toEqual(shownData(shown));
  });

  it("give a new site the id that the preview has shown, and are refused with another Idempotency-Key than the preview's", async () => {
    const id = await teams();
    const site = [{ type: 'AddSite', data: { hostname: 'shop.example' } }];
    const { body } = await preview(id, site, { once: 'draft-1' });
    expect((await commit(id, site, body.shown as string, { once: 'draft-2' })).status).toBe(409);
    const made = await commit(id, site, body.shown as string, { once: 'draft-1' });
    expect([made.status, made.body.events]).toEqual([
      200,
      (body.events as { type: string; data: object }[]).map(({ type, data }) => ({ type, data })),
    ]);
  });

  it('are refused and record nothing after an event later than the preview; the answer shows their present effect', async () => {
    const id = await teams();
    const { body } = await preview(id, [solo]);
    await done(served, key, id, ['POST', '/members', { user: randomUUID(), role: 'member' }]);
    const before = await eventsIn(served);
    const refused = await commit(id, [solo], body.shown as string);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        ...{ type: '/problems/not-as-shown', was: body.shown as string, revision: 5 },
        shown: expect.stringMatching(/^[0-9a-f]{64}$/),
        events: [{ type: 'PlanAssigned', command: 0 }],
        limits: { users: { after: { limit: 1, used: 4, over: 3 } } },
      },
    });
    expect(await eventsIn(served)).toBe(before);
    expect((await commit(id, [solo], refused.body.shown as string)).status).toBe(200);
  });

  it('are refused if the catalogue sells other terms than the preview has shown', async () => {
    const first = await serving();
    const by = await first.key();
    const id = await founded(first, { by });
    const shown = (await preview(id, [solo], { to: first, by })).body.shown as string;
    await first.stop();
    const smaller = (catalogue: Served['charter']['catalogue']): Served['charter']['catalogue'] => ({
      ...catalogue,
      terms: (line, plan) => {
        const terms = catalogue.terms(line, plan);
        return terms && { ...terms, limits: { ...terms.limits, users: 7 } };
      },
    });
    const second = await serving({
      folder: first.folder,
      between: (stores) => ({ ...stores, catalogue: smaller(stores.catalogue) }),
    });
    expect(await commit(id, [solo], shown, { to: second, by })).toMatchObject({
      status: 409,
      body: { type: '/problems/not-as-shown', revision: 0, limits: { users: { after: { configured: 7 } } } },
    });
    expect(await eventsIn(second)).toBe(1);
    await second.close();
  });

  it('get the problem `not-as-shown`, even if a rule of the organization would now refuse one of the commands', async () => {
    const id = await teams();
    const member = randomUUID();
    await done(served, key, id, ['POST', '/members', { user: member, role: 'member' }]);
    const removal = [{ type: 'RemoveMember', data: { member } }];
    const { body } = await preview(id, removal);
    await done(served, key, id, ['DELETE', `/members/${member}`]);
    const refused = await commit(id, removal, body.shown as string);
    expect(refused).toMatchObject({
      status: 409,
      body: { type: '/problems/not-as-shown', refused: { index: 0, problem: { type: '/problems/no-such-member' } } },
    });
    expect(refused.body.shown).toBeUndefined();
  });

  it('get `not-as-shown` also with a stale If-Match; without the digest of a preview they get 412', async () => {
    const id = await teams();
    const { body: shown } = await preview(id, [solo]);
    const stale = { 'If-Match': `"${shown.revision as number}"` };
    await done(served, key, id, ['POST', '/members', { user: randomUUID(), role: 'member' }]);
    const ask = (more: object) =>
      served.ask('POST', path(id, '/commands'), {
        key,
        body: { commands: [solo], ...more },
        headers: stale,
      });
    expect(await ask({ shown: shown.shown })).toMatchObject({ status: 409, body: { type: '/problems/not-as-shown' } });
    expect(await ask({})).toMatchObject({ status: 412 });
  });

  it('are executed despite a stale If-Match if they still cause the events that the preview has shown', async () => {
    const id = await teams();
    const { body: shown } = await preview(id, [solo]);
    const headers = { 'If-Match': '"0"' };
    const answer = await served.ask('POST', path(id, '/commands'), {
      ...{ key, headers },
      body: { commands: [solo], shown: shown.shown },
    });
    expect(answer.status).toBe(200);
  });

  it('reveal nothing to a caller who may not execute them', async () => {
    const [owner, member] = [await person(served), await person(served)];
    const id = await founded(served, { by: key, owner: owner.id });
    await done(served, key, id, ['POST', '/members', { user: member.id, role: 'member' }]);
    const body = { commands: [rename('Acme Ltd')], shown: '0'.repeat(64) };
    const by = async (who: typeof owner) => (await signedIn(served, who)).send('POST', path(id, '/commands'), body);
    expect(await by(member)).toMatchObject({ status: 403, body: { type: '/problems/not-allowed' } });
    expect((await by(await person(served))).status).toBe(404);
    expect(await by(owner)).toMatchObject({ status: 409, body: { type: '/problems/not-as-shown' } });
  });

  it('are refused without limits and events if the API key may execute commands but may not read', async () => {
    const id = await teams();
    const writer = await served.key({ scopes: ['organizations:write'] });
    const { status, body } = await commit(id, [rename('Acme Ltd'), solo], '0'.repeat(64), { by: writer });
    expect([status, body.type]).toEqual([403, '/problems/not-allowed']);
    const refused = await commit(id, [{ type: 'RemoveSite', data: { site: randomUUID() } }, solo], '0'.repeat(64), {
      by: writer,
    });
    expect([refused.status, Object.keys(refused.body as object).toSorted()]).toEqual([
      409,
      ['detail', 'instance', 'status', 'title', 'type', 'was'],
    ]);
  });

  it('get the first answer again under the same Idempotency-Key, although the revision has changed', async () => {
    const id = await teams();
    const { body } = await preview(id, [solo], { once: 'draft-3' });
    const first = await commit(id, [solo], body.shown as string, { once: 'draft-3' });
    const second = await commit(id, [solo], body.shown as string, { once: 'draft-3' });
    expect([first.status, second.text]).toEqual([200, first.text]);
  });

  it('are executed only once if they are sent four times at the same time', async () => {
    const id = await teams();
    const { body } = await preview(id, [solo]);
    const answers = await Promise.all([1, 2, 3, 4].map(() => commit(id, [solo], body.shown as string)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  it.each([
    ['an empty text', ''],
    ['upper case', 'A'.repeat(64)],
    ['a number', 1],
    ['null', null],
    ['a longer text', 'a'.repeat(65)],
  ])('get 400 with %s instead of a digest', async (_, shown) => {
    const id = await founded(served, { by: key });
    expect(await commit(id, [rename('Acme Ltd')], shown as string)).toMatchObject({
      ...{ status: 400, body: { errors: [{ path: 'shown' }] } },
    });
  });
});
