import { otherCatalogue } from '../support/other-catalogue';
import { CommandLine } from './command-line';

let charter: CommandLine;
beforeEach(() => {
  charter = new CommandLine();
});
afterEach(() => charter.remove());

const missing = '7d6f0f5e-1111-4222-8333-abcdefabcdef';

describe('Organizations', () => {
  it('exist after `charter organization found`, and `charter organization show` prints them', async () => {
    const owner = missing.toUpperCase();
    const { code, answer } = await charter.json('organization', 'found', '--name', ' Acme ', '--owner', owner);
    expect({ code, answer }).toEqual({
      code: 0,
      answer: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        revision: 1,
        events: [
          { type: 'OrganizationFounded', data: { name: 'Acme' } },
          { type: 'MemberAdded', data: { member: missing, role: 'owner' } },
        ],
      },
    });
    const shown = await charter.json('organization', 'show', answer.id);
    expect(shown.answer.organization).toMatchObject({ _id: answer.id, name: 'Acme', pulse: false });
    expect(shown.answer.entitlements).toMatchObject({ revision: 1, limits: { users: { used: 1, unlimited: true } } });
    const { stdout } = await charter.run(['organization', 'show', answer.id], { PRODUCT_NAME: 'Beat' });
    expect(stdout).toMatch(/^organization +Acme\n/);
    expect(stdout).toMatch(/^Beat +off$/m);
    expect(stdout).toMatch(/^users +unlimited +1 +unlimited +- +no plan = unlimited \(event 0\)$/m);
  });

  it('are founded with an owner who is named by e-mail address', async () => {
    const owner = ['accounts', 'create', '--email', 'ada@example.com', '--name', 'Ada Lovelace'];
    const { id } = (await charter.json(...owner)).answer as { id: string };
    const { answer } = await charter.json('organization', 'found', '--name', 'Acme', '--owner', 'ADA@example.com');
    expect(answer.events).toMatchObject([{}, { type: 'MemberAdded', data: { member: id, role: 'owner' } }]);
    const unknown = await charter.json('organization', 'found', '--name', 'Acme', '--owner', 'eve@example.com');
    expect(unknown).toMatchObject({ code: 1, answer: { type: '/problems/no-such-account' } });
  });

  it('can get a plan, and a preview shows the effects of a plan without assigning this plan', async () => {
    const id = await charter.found('Acme', 'teams');
    const preview = await charter.json('plan', 'preview', id, 'second/solo');
    expect(preview).toMatchObject({
      code: 0,
      answer: {
        revision: 1,
        events: [{ type: 'PlanAssigned', data: { line: 'second', plan: 'solo' } }],
        limits: { users: { after: { limit: 1, used: 0, over: 0 } } },
        features: { gained: [], lost: expect.arrayContaining(['matomoIntegration', 'multiSite']) },
      },
    });
    expect((await charter.run(['plan', 'preview', id, 'second/solo'])).stdout).toMatch(/^multiSite +on +off$/m);

    const { answer } = await charter.json('plan', 'assign', id, 'second/solo');
    expect(answer).toMatchObject({ id, revision: 2, events: [{ type: 'PlanAssigned', data: { plan: 'solo' } }] });
    expect((await charter.json('plan', 'assign', id, 'second/solo')).answer).toEqual({ id, revision: 2, events: [] });
  });

  it("are shown with the reason why a feature is off, and with everything in today's catalogue that would turn it on", async () => {
    const id = await charter.found('Acme', 'solo');
    const { answer } = await charter.json('organization', 'show', id);
    const because = [{ kind: 'not-in-plan', what: 'second/solo', event: 1, at: expect.any(String) as string }];
    expect(answer.entitlements.features.webAnalytics).toEqual({ on: false, because });
    expect(answer.today.matomoIntegration).toEqual([{ kind: 'plan', what: 'second/teams' }]);
    expect(Object.keys(answer.today)).not.toContain('feedback');
    const { stdout } = await charter.run(['organization', 'show', id]);
    expect(stdout).toMatch(/^FEATURE +IS +BECAUSE +TODAY'S CATALOGUE WOULD TURN IT ON WITH$/m);
    expect(stdout).toMatch(
      /^webAnalytics +off +not in second\/solo \(event 1\) +first\/enterprise, .*, add-on webAnalytics$/m,
    );
    expect(stdout).toMatch(/^feedback +on +plan second\/solo \(event 1\) +-$/m);
    expect(stdout).toMatch(
      /^chatSupport +off +.*service-level none \(event 0\) +service level assisted, service level turnkey$/m,
    );
    const before = await charter.run(['organization', 'show', id, '--as-of', '0']);
    expect(before.stdout).toMatch(/^matomoIntegration +off +no plan \(event 0\) +second\/teams$/m);
  });

  it("keep the terms from the time of a sale, unless the command requests today's terms", async () => {
    const id = await charter.found('Acme', 'solo');
    const settings = otherCatalogue(charter.data, ({ plans }) => (plans['second/solo'].limits.users = 2));
    const assign = ['plan', 'assign', id, 'second/solo', '--json'];
    expect(JSON.parse((await charter.run(assign, settings)).stdout).events).toEqual([]);
    const { events } = JSON.parse((await charter.run([...assign, '--terms', 'today'], settings)).stdout);
    expect(events).toMatchObject([{ data: { terms: { limits: { users: 2 } } } }]);
  });

  it('can be shown in an earlier state with organization show --as-of', async () => {
    const id = await charter.found('Acme', 'solo');
    const before = await charter.json('organization', 'show', id, '--as-of', '0');
    expect(before.answer.organization.plans.second).toBeNull();
    const later = await charter.json('organization', 'show', id, '--as-of', new Date().toISOString());
    expect(later.answer.organization.plans.second.plan).toBe('solo');
    const beyond = await charter.json('organization', 'show', id, '--as-of', '7');
    expect(beyond).toMatchObject({ code: 1, answer: { type: '/problems/unknown-revision', last: 1 } });
    const first = await charter.json('organization', 'show', id, '--as-of', '2020-01-01T00:00:00Z');
    expect(first).toMatchObject({ code: 1, answer: { type: '/problems/no-such-organization' } });
    expect(first.answer.detail).toMatch(/^The organization was founded at 20\d\d-/);
  });

  it.each([
    ['show', ['organization', 'show', missing]],
    ['assign a plan to', ['plan', 'assign', missing, 'second/solo']],
    ['preview a plan of', ['plan', 'preview', missing, 'second/solo']],
    ['verify', ['verify', missing]],
    ['make a key for', ['keys', 'create', '--name', 'x', '--scopes', 'audit:read', '--organization', missing]],
  ])('that do not exist: no command can %s them', async (_what, args) => {
    await charter.found('Acme');
    expect(await charter.json(...args)).toMatchObject({
      code: 1,
      answer: { type: '/problems/no-such-organization', status: 404 },
    });
    expect(await charter.run(args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^refused: .*\.\n$/),
    });
  });

  it('cannot get an unknown plan', async () => {
    const id = await charter.found('Acme');
    expect(await charter.json('plan', 'assign', id, 'second/huge')).toEqual({
      code: 1,
      answer: {
        type: '/problems/unknown-plan',
        title: 'The plan is not for sale',
        status: 409,
        detail: expect.stringMatching(/^There is no plan second\/huge\. For sale: .*second\/solo, second\/teams/),
        line: 'second',
        plan: 'huge',
        known: expect.arrayContaining(['second/solo', 'second/teams']),
      },
    });
  });

  it('can be listed page by page, but only if there is a read model', async () => {
    for (const name of ['Borg', 'acme', 'Ärzte']) await charter.found(name);
    const early = await charter.json('organization', 'list');
    expect(early).toMatchObject({ code: 1, answer: { type: '/problems/not-yet' } });
    await charter.run(['projections', 'rebuild']);
    const first = await charter.json('organization', 'list', '--limit', '2');
    const rest = await charter.json('organization', 'list', '--cursor', first.answer.next);
    expect([first, rest].map(({ answer }) => answer.organizations.map(({ name }: { name: string }) => name))).toEqual([
      ['acme', 'Borg'],
      ['Ärzte'],
    ]);
    expect(rest.answer.next).toBeNull();
    const found = await charter.json('organization', 'list', '--q', 'OR', '--plan', 'second/solo');
    expect(found.answer.organizations).toEqual([]);
    const id = first.answer.organizations[1].id;
    await charter.run(['plan', 'assign', id, 'second/solo']);
    expect((await charter.run(['organization', 'list'])).stdout).toContain('does not show the last 1 event yet');
    await charter.run(['projections', 'rebuild']);
    const sold = await charter.json('organization', 'list', '--q', 'OR', '--plan', 'second/solo');
    expect(sold.answer.organizations).toEqual([
      { id, name: 'Borg', plans: { first: null, second: expect.objectContaining({ plan: 'solo' }) }, revision: 1 },
    ]);
    expect(await charter.run(['organization', 'list', '--cursor', 'e30'])).toMatchObject({ code: 2 });
  });
});
