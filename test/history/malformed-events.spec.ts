import { randomUUID } from 'node:crypto';
import { verifyAllChains } from '@charter/application';
import { accountStream, keyStream } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { appendForeign } from '../support/stores/foreign-events';
import { founded, path } from '../support/requests/organizations';
import { eventsOf, keyId, newFolder, serving, settled, until } from '../support/serving';
import { accountEventsOf, person, signedIn } from '../support/sign-in/people';

const effectiveAt = '2026-11-21T10:00:00.000Z';
const malformed = [
  ['a member without id and role', 'MemberAdded', {}],
  ['a plan without terms', 'PlanAssigned', { line: 'second', plan: 'solo', effectiveAt }],
  ['a billing account without customer', 'BillingAccountLinked', { provider: 'stripe' }],
] as const;

// acceptance.md P8
describe('Event whose data does not match its type', () => {
  it.each(malformed)('(%s) is not folded: its stream is parked; `verify` names this event', async (_, type, data) => {
    const folder = newFolder();
    const served = await serving({ folder });
    const key = await served.key();
    const [sick, well] = [await founded(served, { by: key, name: 'Sick' }), await founded(served, { by: key })];
    await settled(served);
    await appendForeign(served, organizationStream(sick), { type, data });
    await settled(served);

    const ask = (method: string, where: string, body?: object) => served.ask(method, where, { key, body });
    const member = { user: randomUUID(), role: 'member' };
    const answers = [
      await ask('POST', path(sick, '/members'), member),
      await ask('PATCH', path(sick), { name: 'New' }),
    ];
    for (const rest of [
      '',
      '/entitlements',
      '/entitlements/users',
      '/members',
      '?asOf=1',
      '/diff?from=0',
      '/timeline',
      '/changes?path=/name',
    ])
      answers.push(await ask('GET', path(sick, rest)));
    for (const { status, body } of answers)
      expect([status, body.type, body.revision]).toEqual([500, '/problems/unreadable-history', 1]);
    expect((await ask('GET', path(sick, '?asOf=0'))).body).toMatchObject({ name: 'Sick' });
    expect((await ask('POST', path(well, '/members'), member)).status).toBe(201);
    expect((await ask('GET', '/api/v1/organizations')).body.organizations).toHaveLength(2);
    const alarms = () => served.entries().filter(({ msg }) => msg === 'a stream was parked');
    await until(() => {
      served.clock.advance(10_000); // after this time the projector retries
      return alarms().length > 0;
    });
    expect(alarms()).toMatchObject([{ type, stream: organizationStream(sick), revision: '1' }]);
    expect((await ask('GET', '/health/ready')).body.checks.projection.parked).toBe(1);
    await served.stop();

    const again = await serving({ folder });
    expect((await again.ask('GET', path(sick), { key })).status).toBe(500);
    expect((await again.ask('PATCH', path(well), { key, body: { name: 'Better' } })).status).toBe(200);
    const { broken } = await verifyAllChains(again.charter, () => () => undefined);
    expect(broken).toEqual([
      { organization: sick, at: 1, reason: expect.stringContaining('cannot be read') as string },
    ]);
    await again.close();
  });

  it('removes no organization from the lists of its members', async () => {
    const served = await serving();
    const by = await served.key();
    const ada = await person(served);
    const ids = [await founded(served, { by, owner: ada.id }), await founded(served, { by, owner: ada.id })];
    await appendForeign(served, organizationStream(ids[0]!), { type: 'MemberAdded', data: {} });
    await settled(served);
    const here = await signedIn(served, ada);
    // The retry of the parked stream stores the events before the malformed event.
    await until(async () => {
      const { status, body } = await here.get('/api/v1/organizations');
      const listed = (body.organizations as { id: string }[] | undefined)?.map(({ id }) => id).toSorted();
      return status === 200 && listed?.join() === ids.toSorted().join();
    }, 20_000);
    await served.close();
  });

  it('in an audit stream locks out neither the API key nor the person; the next start logs the event, and `verify` names it', async () => {
    const folder = newFolder();
    const served = await serving({ folder });
    const ada = await person(served);
    const before = await signedIn(served, ada);
    const [sick, well] = [await served.key(), await served.key()];
    const stream = keyStream(await keyId(served, sick));
    const account = accountStream(ada.id);
    const recorded = (await accountEventsOf(served, ada)).length;
    await appendForeign(served, stream, { type: 'KeyUsed', data: {} });
    for (const event of [
      { type: 'SignedOut', data: {} },
      { type: 'RoleAssigned', data: { role: 'emperor' } },
    ])
      await appendForeign(served, account, event);
    for (const key of [sick, well])
      expect((await served.ask('GET', '/api/v1/organizations', { key })).status).toBe(200);
    const wellStream = keyStream(await keyId(served, well));
    await until(async () => (await eventsOf(served, wellStream)).length === 1);
    await until(async () => (await eventsOf(served, stream)).length === 2);

    const after = await signedIn(served, ada);
    for (const by of [before, after])
      for (const own of ['', '/activity', '/export', '/sessions'])
        expect([own, (await by.get(`/api/v1/me${own}`)).status]).toEqual([own, 200]);
    expect((await after.send('POST', '/logout')).status).toBe(204);
    const appended = (await accountEventsOf(served, ada)).slice(recorded + 2);
    expect(appended.map(({ type }) => type)).toEqual(['SignedIn', 'DataExported', 'DataExported', 'SignedOut']);
    await served.stop();

    const again = await serving({ folder });
    const msg = expect.stringContaining('an event of an audit stream cannot be read') as string;
    expect(again.entries().filter(({ level }) => level === 50)).toMatchObject([
      { stream, revision: '0', type: 'KeyUsed', msg },
      { stream: account, revision: String(recorded), type: 'SignedOut', msg },
      { stream: account, revision: String(recorded + 1), type: 'RoleAssigned', msg },
    ]);
    expect((await (await signedIn(again, ada)).get('/api/v1/me')).body).toMatchObject({ id: ada.id, role: null });
    const { broken } = await verifyAllChains(again.charter, () => () => undefined);
    const reason = expect.stringContaining('cannot be read') as string;
    expect(broken.toSorted((one, next) => (one.stream! < next.stream! ? -1 : 1))).toEqual([
      { stream: account, at: recorded, reason },
      { stream, at: 0, reason },
    ]);
    await again.close();
  });
});
