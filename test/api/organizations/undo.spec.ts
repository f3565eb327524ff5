import { randomUUID } from 'node:crypto';
import { serviceForSpecs } from '../../support/requests/http-client';
import { done, founded, path } from '../../support/requests/organizations';
import { eventsIn, newFolder, type Served, serving, settled } from '../../support/serving';
import { accountEventsOf, PASSWORD, person, signedIn } from '../../support/sign-in/people';
import { insertForeign } from '../../support/stores/foreign-events';
import { longPast } from '../../history/as-of/long-life';
import { organizationStream } from '@charter/organization';

let served: Served;
let key: string;
const ask = serviceForSpecs((...begun) => ([served, key] = begun));

const undo = (id: string, body: object) => ask('POST', path(id, '/undo'), { body });

/** Founds an organization. Its event 1 assigns the plan `second/teams`, and its event 2 adds a member. */
async function teams(): Promise<Readonly<{ id: string; member: string }>> {
  const [id, member] = [await founded(served, { by: key }), randomUUID()];
  await done(
    served,
    key,
    id,
    ['PUT', '/plan', { line: 'second', plan: 'teams' }],
    ['POST', '/members', { user: member, role: 'member' }],
  );
  return { id, member };
}

const operatorPage = async () => signedIn(served, await person(served, { role: 'operator' }));
const documentOf = async (id: string) => (await ask('GET', path(id))).body;

describe('Undo of an event', () => {
  it('answers with commands and their preview; `POST …/commands` then executes these commands exactly as shown', async () => {
    const { id } = await teams();
    await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'solo' }]);
    const { status, body } = await undo(id, { event: 3 });
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ revision: 3, exact: true, leaves: [], later: [] },
        commands: [{ type: 'AssignPlan', data: { line: 'second', plan: 'teams', terms: { termsOf: 1 } } }],
        preview: {
          ...{
            revision: 3,
            shown: expect.stringMatching(/^[0-9a-f]{64}$/),
            may: [{ may: false, takes: ['operator'] }],
          },
          limits: { users: { before: { limit: 1 }, after: { limit: 5 } } },
        },
      },
    ]);
    expect(body).not.toHaveProperty('more');
    const { commands, preview } = body as { commands: object[]; preview: { shown: string } };
    const page = await operatorPage();
    const made = await page.send('POST', path(id, '/commands'), { commands, shown: preview.shown });
    expect([made.status, made.body.revision]).toEqual([200, 4]);
    expect((await documentOf(id)).plans).toMatchObject({ second: { plan: 'teams' } });
  });

  it('writes nothing but the record of the read', async () => {
    const { id, member } = await teams();
    const owner = await person(served);
    await done(served, key, id, ['POST', '/members', { user: owner.id, role: 'owner' }]);
    const before = await eventsIn(served);
    const page = await signedIn(served, owner);
    const { body } = await page.send('POST', path(id, '/undo'), { event: 2 });
    expect(body.commands).toEqual([{ type: 'RemoveMember', data: { member } }]);
    const reads = (await accountEventsOf(served, owner)).filter(({ type }) => type === 'HistoryRead');
    expect(reads.map(({ data }) => data)).toEqual([{ organization: id }]);
    expect((await documentOf(id)).revision).toBe(3);
    expect(await eventsIn(served)).toBe(before);
  });

  it('is computed for an admin and an auditor, but not for a plain member or a stranger', async () => {
    const { id } = await teams();
    const [admin, member, auditor] = [
      await person(served),
      await person(served),
      await person(served, { role: 'auditor' }),
    ];
    await done(
      served,
      key,
      id,
      ['POST', '/members', { user: admin.id, role: 'admin' }],
      ['POST', '/members', { user: member.id, role: 'member' }],
    );
    const statuses = [];
    for (const reader of [admin, member, auditor, await person(served)])
      statuses.push((await (await signedIn(served, reader)).send('POST', path(id, '/undo'), { event: 2 })).status);
    expect(statuses).toEqual([200, 403, 200, 404]);
  });

  it('does not make an erased person a member again', async () => {
    const { id } = await teams();
    const ben = await person(served);
    await done(
      served,
      key,
      id,
      ['POST', '/members', { user: ben.id, role: 'admin' }],
      ['DELETE', `/members/${ben.id}`],
    );
    const page = await signedIn(served, ben);
    expect((await page.send('POST', '/api/v1/me/close', { password: PASSWORD })).status).toBe(200);
    expect(await undo(id, { event: 4 })).toMatchObject({
      status: 200,
      body: { commands: [], exact: false, leaves: [{ path: `/members/${ben.id}`, why: 'erased' }] },
    });
  });

  it('shows the refusal in its preview if the undo would exceed a limit', async () => {
    const { id, member } = await teams();
    await done(
      served,
      key,
      id,
      ['DELETE', `/members/${member}`],
      ['POST', '/members', { user: randomUUID(), role: 'member' }],
      ['PUT', '/plan', { line: 'second', plan: 'solo' }],
    );
    expect(await undo(id, { event: 3 })).toMatchObject({
      status: 200,
      body: {
        ...{ commands: [{ type: 'AddMember', data: { member, role: 'member' } }], exact: false },
        preview: { refused: { index: 0, problem: { type: '/problems/limit-exceeded' } } },
      },
    });
  });

  it('reopens the organization if the event closed it; for an earlier event, the preview says that the organization is closed', async () => {
    const { id } = await teams();
    await done(served, key, id, ['POST', '/close', { reason: 'moved away' }]);
    expect(await undo(id, { event: 3, reason: 'a mistake' })).toMatchObject({
      body: { commands: [{ type: 'ReopenOrganization', data: { reason: 'a mistake' } }], exact: true },
    });
    expect(await undo(id, { event: 2 })).toMatchObject({
      body: { exact: false, preview: { refused: { problem: { type: '/problems/organization-closed' } } } },
    });
  });

  it('names the same new id for a cancelled add-on in each answer, and buys the add-on once', async () => {
    const { id } = await teams();
    await done(
      served,
      key,
      id,
      ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 2, purchase: 'p-1' }],
      ['DELETE', '/add-ons/p-1'],
    );
    const [first, again] = [await undo(id, { event: 4 }), await undo(id, { event: 4 })];
    expect(first.body).toMatchObject({
      commands: [{ type: 'PurchaseAddOn', data: { addOn: 'additionalUser', quantity: 2, grants: { termsOf: 3 } } }],
      leaves: [{ path: '/addOns/p-1', why: 'new-purchase-id' }],
    });
    expect(again.body.commands).toEqual(first.body.commands);
    const operator = await operatorPage(); // only operators may sell on the terms of an earlier sale
    const commands = first.body.commands as object[];
    expect((await operator.send('POST', path(id, '/commands'), { commands })).status).toBe(200);
    for (const body of [{ event: 4 }, { to: 3 }])
      expect((await undo(id, body)).body).toMatchObject({ commands: [], leaves: first.body.leaves });
  });

  it('ends a plan that was assigned by mistake, so that the plan does not return when the subscription is cancelled', async () => {
    const id = await founded(served, { by: key });
    const subscription = 's-1';
    const bought = { type: 'AssignPlan', data: { line: 'second', plan: 'solo', subscription } };
    expect((await ask('POST', path(id, '/commands'), { body: { commands: [bought] } })).status).toBe(200);
    await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
    const { commands, exact } = (await undo(id, { event: 2 })).body;
    expect([exact, commands]).toMatchObject([true, [{ type: 'EndPlan' }, { data: { plan: 'solo', subscription } }]]);
    expect((await (await operatorPage()).send('POST', path(id, '/commands'), { commands })).status).toBe(200);
    expect((await documentOf(id)).plans).toMatchObject({ second: { plan: 'solo' } });
    const end = { type: 'EndPlan', data: { line: 'second', subscription } };
    expect((await ask('POST', path(id, '/commands'), { body: { commands: [end] } })).status).toBe(200);
    expect((await documentOf(id)).plans).toMatchObject({ second: null });
  });

  it('buys each cancelled add-on again, and each purchase gets a new id', async () => {
    const { id } = await teams();
    const bought = (purchase: string) =>
      ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 2, purchase }] as const;
    await done(served, key, id, bought('p-1'), bought('p-2'), ['DELETE', '/add-ons/p-1'], ['DELETE', '/add-ons/p-2']);
    const { commands, exact } = (await undo(id, { to: 4 })).body;
    const ids = (commands as { data: { purchase: string } }[]).map(({ data }) => data.purchase);
    expect([ids.length, new Set([...ids, 'p-1', 'p-2']).size, exact]).toEqual([2, 4, false]);
    const operator = await operatorPage(); // only operators may sell on the terms of an earlier sale
    expect((await operator.send('POST', path(id, '/commands'), { commands })).status).toBe(200);
    expect(Object.keys((await documentOf(id)).addOns)).toHaveLength(2);
  });

  it('has no command if the event is the founding', async () => {
    const { id } = await teams();
    expect(await undo(id, { event: 0 })).toMatchObject({
      status: 200,
      body: { commands: [], leaves: [{ path: '/name', why: 'no-command' }], preview: { events: [] } },
    });
  });

  it('that changed no value answers 409 `nothing-to-undo`', async () => {
    const { id } = await teams();
    const late = { line: 'second', plan: 'solo', effectiveAt: '2020-01-01T00:00:00.000Z', subscription: 's-1' };
    const commands = [{ type: 'AssignPlan', data: late }];
    expect((await ask('POST', path(id, '/commands'), { body: { commands } })).status).toBe(200);
    expect(await undo(id, { event: 3 })).toMatchObject({
      status: 409,
      body: { type: '/problems/nothing-to-undo', detail: expect.stringContaining('Name events that changed a value.') },
    });
    expect((await undo(id, { to: 3 })).status).toBe(409);
  });
});

describe('Undo of the events of a commit', () => {
  /** An organization whose events 3 to 5 are one commit. */
  async function committed() {
    const { id, member } = await teams();
    const commands = [
      { type: 'RenameOrganization', data: { name: 'Other' } },
      { type: 'ChangeRole', data: { member, role: 'admin' } },
      { type: 'AssignPlan', data: { line: 'second', plan: 'solo' } },
    ];
    expect((await ask('POST', path(id, '/commands'), { body: { commands } })).body).toMatchObject({ revision: 5 });
    return { id, member };
  }

  it('restores the values before the commit, and names later events about the same values', async () => {
    const { id, member } = await committed();
    await done(served, key, id, ['PUT', '/plan', { line: 'second', plan: 'teams' }]);
    expect(await undo(id, { events: [3, 5] })).toMatchObject({
      status: 200,
      body: {
        commands: [
          { type: 'ChangeRole', data: { member, role: 'member' } },
          { type: 'RenameOrganization', data: { name: 'Acme' } },
        ],
        later: [{ path: '/plans/second', revision: 6, type: 'PlanAssigned' }],
        exact: false,
      },
    });
  });

  it('also accepts some of the events of the commit', async () => {
    const { id } = await committed();
    for (const events of [
      [3, 3],
      [3, 4],
      [4, 5],
    ])
      expect([events, (await undo(id, { events })).status]).toEqual([events, 200]);
  });

  it('is refused with 400 if the events belong to different commits, even if the same caller sent them', async () => {
    const { id } = await committed();
    await done(served, key, id, ['PATCH', '', { name: 'Third' }]);
    for (const events of [
      [1, 2],
      [2, 5],
      [5, 6],
      [0, 6],
    ]) {
      const { status, body } = await undo(id, { events });
      expect([events, status, body.type, body.errors]).toEqual([
        events,
        400,
        '/problems/malformed',
        [{ path: 'events', message: 'must be events of one commit; for other events, send `to`' }],
      ]);
    }
  });
});

describe('Undo back to a revision', () => {
  it('restores only the values at the paths that the request names', async () => {
    const { id, member } = await teams();
    await done(
      served,
      key,
      id,
      ['PATCH', '', { name: 'Other' }],
      ['PATCH', `/members/${member}`, { role: 'admin', productUser: true }],
    );
    const types = async (body: object) =>
      ((await undo(id, body)).body.commands as { type: string }[]).map(({ type }) => type);
    expect(await types({ to: 2 })).toEqual(['ChangeRole', 'UnflagProductUser', 'RenameOrganization']);
    expect(await types({ to: 2, only: ['/name'] })).toEqual(['RenameOrganization']);
    expect(await types({ to: 2, only: [`/members/${member}/pulseUser`] })).toEqual(['UnflagProductUser']);
  });

  it('restores only the override of the hard limits if the request names its path', async () => {
    const { id } = await teams();
    const before = (await served.ask('GET', path(id), { key })).body.revision as number;
    await done(served, key, id, ['PUT', '/limits/override', { reason: 'a trial' }], ['PUT', '/limits', { users: 90 }]);
    const answer = await undo(id, { to: before, only: ['/limits/override'] });
    expect([answer.status, answer.body.commands]).toMatchObject([200, [{ type: 'RestoreHardLimits' }]]);
  });

  it('has at most 20 commands and counts the further commands; repeated undos reach the revision', async () => {
    const id = await founded(served, { by: key });
    await done(
      served,
      key,
      id,
      ...Array.from({ length: 25 }, () => ['POST', '/members', { user: randomUUID(), role: 'member' }] as const),
    );
    const first = (await undo(id, { to: 0 })).body;
    expect([(first.commands as object[]).length, first.more, first.exact]).toEqual([20, 5, false]);
    await ask('POST', path(id, '/commands'), { body: { commands: first.commands } });
    const second = (await undo(id, { to: 0 })).body;
    expect([(second.commands as object[]).length, second.more, second.exact]).toEqual([5, undefined, true]);
  });

  it('restores revision 0 of a history of 1,200 events', async () => {
    const id = await founded(served, { by: key });
    await longPast(served.charter, id, 1_200);
    expect(await undo(id, { to: 0 })).toMatchObject({
      status: 200,
      body: { revision: 1_200, commands: [{ type: 'RestoreHardLimits', data: { reason: 'as it was at #0' } }] },
    });
    expect(await undo(id, { event: 1_200 })).toMatchObject({
      body: { commands: [{ type: 'OverrideHardLimits', data: { reason: expect.stringMatching(/^1198 /) } }] },
    });
  });
});

describe('Undo with a malformed request', () => {
  it.each([
    [{}, 'event'],
    [{ event: 1, to: 0 }, 'event'],
    [{ event: -1 }, 'event'],
    [{ event: 1e300 }, 'event'],
    [{ event: '1' }, 'event'],
    [{ events: [2, 1] }, 'events'],
    [{ events: [0, 200] }, 'events'],
    [{ events: [1] }, 'events'],
    [{ event: 1, only: ['/members'] }, 'only'],
    [{ to: 0, only: [] }, 'only'],
    [{ to: 0, only: ['members'] }, 'only.0'],
    [{ to: 0, only: ['/name', '/secrets'] }, 'only.1'],
    [{ to: 0, only: [''] }, 'only.0'],
    [{ to: 0, only: Array.from({ length: 10_000 }, () => '/a') }, 'only'],
    [{ event: 1, reason: '' }, 'reason'],
    [{ event: 1, valid: '2026-11-21T10:00:00Z' }, 'valid'],
  ])('answers 400 (%#) and names the field', async (body, field) => {
    const id = await founded(served, { by: key });
    const answer = await undo(id, body);
    expect([answer.status, answer.body.type]).toEqual([400, '/problems/malformed']);
    expect(JSON.stringify(answer.body.errors)).toContain(`"${field}`);
  });

  it('answers 400 to an event beyond the end, and 404 for an unknown organization', async () => {
    const id = await founded(served, { by: key });
    for (const body of [{ event: 1 }, { events: [0, 1] }, { to: 1 }, { to: 1e15 }])
      expect(await undo(id, body)).toMatchObject({
        status: 400,
        body: { type: '/problems/unknown-revision', last: 0 },
      });
    expect((await undo(randomUUID(), { event: 0 })).status).toBe(404);
  });
});

describe('Undo in an unreadable history', () => {
  it('answers 500 and names the unreadable event', async () => {
    const folder = newFolder();
    const first = await serving({ folder });
    const by = await first.key();
    const id = await founded(first, { by });
    await settled(first);
    await first.stop();
    insertForeign(folder, organizationStream(id), { type: 'MemberAdded', data: '{"day":', metadata: '{}' });
    const second = await serving({ folder });
    expect(await second.ask('POST', path(id, '/undo'), { key: by, body: { event: 0 } })).toMatchObject({
      status: 500,
      body: { type: '/problems/unreadable-history', revision: 1 },
    });
    await second.close();
  });
});
