import { DatabaseUnavailable } from '@charter/database';
import { randomUUID } from 'node:crypto';
import type { Metadata } from '@charter/decider';
import { LogError } from '@charter/event-log';
import { rebuild } from '@charter/projections';
import { organizationView } from '@charter/organization-view';
import { faulty } from '../../support/stores/faults';
import type { Answer } from '../../support/requests/http';
import { done, founded, path } from '../../support/requests/organizations';
import { person, signedIn } from '../../support/sign-in/people';
import { eventsIn, eventsOf, type Served, serving, settled } from '../../support/serving';
import { jsonRoutes, rightRequests, fullOrganization } from '../../support/requests/full-organization';
import { buyerRequests, domainRequests } from '../../support/requests/right-requests';
import { tag } from '../../support/tags';

let served: Served;
let key: string;
let before: number;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
});
beforeEach(async () => {
  before = await eventsIn(served);
});
afterAll(() => served.close());

/** The number of events that were written since this test began. */
const written = async () => (await eventsIn(served)) - before;

const member = (user: string = randomUUID()) => ({ user, role: 'member' });
const post = (at: string, body: unknown, once: string, by = key, to = served) =>
  to.ask('POST', at, { key: by, body, headers: { 'Idempotency-Key': once } });
const equal = (answers: readonly Answer[]) =>
  new Set(
    answers.map(({ status, text, headers: { etag, location } }) => JSON.stringify([status, text, etag, location])),
  );

describe('Requests with the same Idempotency-Key and the same body', () => {
  it('L1: write one event and get equal answers, whether sent 100 times in a row or 100 times at once', async () => {
    const id = await founded(served, { by: key });
    const [one, two] = [member(), member()];
    const answers = [];
    for (let time = 0; time < 100; time += 1) answers.push(await post(path(id, '/members'), one, 'one'));
    expect(equal(answers).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 201, headers: { etag: tag(1) }, body: { id: one.user, revision: 1 } });

    const concurrent = await Promise.all(Array.from({ length: 100 }, () => post(path(id, '/members'), two, 'two')));
    expect(equal(concurrent).size).toBe(1);
    expect(concurrent[0]).toMatchObject({ status: 201, body: { id: two.user, revision: 2 } });
    expect(await written()).toBe(3);
  });

  it('for two organizations are two commands, and the ids of their events differ', async () => {
    const ids = [await founded(served, { by: key }), await founded(served, { by: key })];
    const one = member();
    for (const id of ids) expect((await post(path(id, '/members'), one, 'one')).status).toBe(201);
    const events = (await eventsOf(served, '')).filter(({ stream }) => ids.some((id) => stream.endsWith(id)));
    const commands = events.map(({ metadata }) => (metadata as Metadata).command);
    expect([events.length, new Set(events.map(({ id }) => id)).size, new Set(commands).size]).toEqual([4, 4, 4]);
  });

  it('get the first answer again after later changes, even if the spaces in the body differ', async () => {
    const id = await founded(served, { by: key });
    const one = member();
    const first = await post(path(id, '/members'), one, 'one');
    await done(served, key, id, ['DELETE', `/members/${one.user}`]);
    const spaced = JSON.stringify(one, null, 4);
    expect(equal([first, await post(path(id, '/members'), spaced, 'one')]).size).toBe(1);
    expect((await served.ask('GET', path(id), { key })).body.members).toEqual([]);
  });

  it('change data only once, on every route except the previews', async () => {
    for (const route of jsonRoutes.filter((route) => !route.endsWith('/preview'))) {
      const { path: at, body } = rightRequests[route]!(await fullOrganization(served, key));
      const ask = () =>
        served.ask(route.split(' ')[0]!, at, { key, body, headers: { 'Idempotency-Key': `k-${route.length}-${at}` } });
      const first = await ask();
      expect([route, Math.floor(first.status / 100)]).toEqual([route, 2]);
      const after = await written();
      expect([route, equal([first, await ask()]).size, await written()]).toEqual([route, 1, after]);
    }
  });

  it('lead to the founding of only one organization, even when they are sent ten times at once', async () => {
    const concurrent = await Promise.all(
      Array.from({ length: 10 }, () => post('/api/v1/organizations', { name: 'Acme' }, 'found')),
    );
    expect(equal([...concurrent, await post('/api/v1/organizations', { name: 'Acme' }, 'found')]).size).toBe(1);
    expect(concurrent[0]!.status).toBe(201);
    expect(await written()).toBe(1);
  });

  it('get the same refusal again (409), although a new request would succeed', async () => {
    const id = await founded(served, { by: key });
    await done(served, key, id, ['PUT', '/limits', { users: 1 }], ['POST', '/members', member()]);
    const late = member();
    const refused = await post(path(id, '/members'), late, 'late');
    expect([refused.status, refused.body.type]).toEqual([409, '/problems/limit-exceeded']);
    await done(served, key, id, ['PUT', '/limits', { users: 9 }]);
    const again = await post(path(id, '/members'), late, 'late');
    expect(equal([refused, again]).size).toBe(1);
    expect(again.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect((await post(path(id, '/members'), late, 'later')).status).toBe(201);
  });

  it('L4: get the first answer after a restart', async () => {
    const id = await founded(served, { by: key });
    const one = member();
    const first = await post(path(id, '/members'), one, 'one');
    await served.stop();
    served = await serving({ folder: served.folder });
    expect(equal([first, await post(path(id, '/members'), one, 'one')]).size).toBe(1);
    expect(await written()).toBe(2);
  });

  it('L5: get the first answer after 30 days and a rebuild of the read model', async () => {
    const id = await founded(served, { by: key });
    const one = member();
    const first = await post(path(id, '/members'), one, 'one');
    served.clock.advance(30 * 86_400_000);
    await settled(served);
    await rebuild(served.charter.log, served.charter.view, organizationView);
    expect(equal([first, await post(path(id, '/members'), one, 'one')]).size).toBe(1);
    expect(await written()).toBe(2);
  });
});

describe('Stored answer', () => {
  const MEMBER = 'member';
  const ada = async () => {
    const account = await person(served);
    return { account, here: await signedIn(served, account) };
  };
  const role = (id: string, user: string, to: string) =>
    done(served, key, id, ['PATCH', `/members/${user}`, { role: to }]);

  it('L9: is given only to a member who may still send the request', async () => {
    const id = await founded(served, { by: key });
    const { account, here } = await ada();
    await done(served, key, id, ['POST', '/members', { user: account.id, role: 'admin' }]);
    const requests = [
      ['PATCH', '', { name: 'Renamed' }],
      ['POST', '/members', member()],
      ['POST', '/commands', { commands: [{ type: 'ChangeParallelUse', data: { parallelUse: true } }] }],
    ] as const;
    const ask = () =>
      Promise.all(
        requests.map(([method, at, body]) =>
          here.send(method, path(id, at), body, { headers: { 'Idempotency-Key': `once${at}` } }),
        ),
      );
    const first = await ask();
    expect(first.map(({ status }) => status)).toEqual([200, 201, 200]);
    expect((await ask()).map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    await role(id, account.id, MEMBER);
    for (const { status, body } of await ask()) expect([status, body.type]).toEqual([403, '/problems/not-allowed']);
    await done(served, key, id, ['DELETE', `/members/${account.id}`]);
    for (const { status, body } of await ask())
      expect([status, body.type]).toEqual([404, '/problems/no-such-organization']);
    await done(served, key, id, ['POST', '/members', { user: account.id, role: 'admin' }]);
    expect((await ask()).map(({ text }) => text)).toEqual(first.map(({ text }) => text));
  });

  it('L9: is refused to a person who has left, but finishes the effects of the removal', async () => {
    const id = await founded(served, { by: key });
    const { account, here } = await ada();
    await done(served, key, id, ['POST', '/members', { user: account.id, role: 'admin' }]);
    expect((await here.send('POST', `/api/v1/me/organizations/${id}/accept`)).status).toBe(204);
    const { introductions } = served.charter.database.people;
    const isIntroduced = async () => (await introductions.among(id, [account.id])).has(account.id);
    expect(await isIntroduced()).toBe(true);

    const leave = () =>
      here.send('DELETE', path(id, `/members/${account.id}`), undefined, { headers: { 'Idempotency-Key': 'leave' } });
    const failing = jest.spyOn(introductions, 'end').mockRejectedValueOnce(new DatabaseUnavailable('silent'));
    expect((await leave()).status).toBe(503);
    expect(await isIntroduced()).toBe(true);
    const { status, headers } = await leave();
    failing.mockRestore();
    expect([status, headers.etag, await isIntroduced()]).toEqual([404, undefined, false]);
  });

  it('L9: is refused to a person who has lost the role, but finishes the invitation', async () => {
    const id = await founded(served, { by: key, owner: randomUUID() });
    const { account, here } = await ada();
    await done(served, key, id, ['POST', '/members', { user: account.id, role: 'admin' }]);
    const email = `${randomUUID()}@invited.example`;
    const ask = () =>
      here.send('POST', path(id, '/members'), { email, role: 'member' }, { headers: { 'Idempotency-Key': 'invite' } });
    const { introductions } = served.charter.database.people;
    const failing = jest.spyOn(introductions, 'add').mockRejectedValueOnce(new DatabaseUnavailable('silent'));
    expect((await ask()).status).toBe(503);
    await role(id, account.id, 'member');
    expect((await ask()).status).toBe(403);
    failing.mockRestore();
    const mails = await served.charter.database.mails.list({ limit: 10 });
    expect(mails.filter(({ to }) => to === email)).toHaveLength(1);
  });

  it('L9: is given to an administrator who was an owner, although a new request to add an owner is refused', async () => {
    const id = await founded(served, { by: key, owner: randomUUID() });
    const { account, here } = await ada();
    await done(served, key, id, ['POST', '/members', { user: account.id, role: 'owner' }]);
    const body = { ...member(), role: 'owner' };
    const ask = (once: string, sent = body) =>
      here.send('POST', path(id, '/members'), sent, { headers: { 'Idempotency-Key': once } });
    const first = await ask('another-owner');
    expect(first.status).toBe(201);
    await role(id, account.id, 'admin');
    const count = await eventsIn(served);
    expect((await ask('another-owner')).text).toBe(first.text);
    expect(await eventsIn(served)).toBe(count);
    expect((await ask('another-key', { ...member(), role: 'owner' })).status).toBe(403);
  });

  it('L9: is given for a repeated founding only if the person is still an operator', async () => {
    const op = await person(served, { role: 'operator' });
    const found = async () =>
      (await signedIn(served, op)).send(
        'POST',
        '/api/v1/organizations',
        { name: 'Acme' },
        { headers: { 'Idempotency-Key': 'found-once' } },
      );
    const first = await found();
    expect((await found()).text).toBe(first.text);
    await served.charter.accounts.assignRole(op.id, null, {
      ...{ actor: { kind: 'system', id: 'spec', powers: [] }, at: new Date().toISOString() },
      correlation: randomUUID(),
    });
    expect(await found()).toMatchObject({ status: 403, body: { takes: ['operator', 'organizations:operate'] } });
  });
});

describe('Idempotency-Key', () => {
  it('L2: that is used again with another body gets 422, and no event is written', async () => {
    const id = await founded(served, { by: key });
    await post(path(id, '/members'), member(), 'one');
    const other = await post(path(id, '/members'), member(), 'one');
    expect([other.status, other.body.type]).toEqual([422, '/problems/key-reused']);
    expect(await written()).toBe(2);
  });

  it('L2: with another body gets 422 on exactly the routes for which the OpenAPI document names this header', async () => {
    type Methods = Readonly<Record<string, { parameters?: { name: string }[] }>>;
    const { paths } = (await served.ask('GET', '/api/openapi.json')).body as { paths: Record<string, Methods> };
    const documented = Object.entries(paths).flatMap(([at, methods]) =>
      Object.entries(methods)
        .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'Idempotency-Key'))
        .map(([method]) => `${method.toUpperCase()} ${at.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
    const refusing = [];
    for (const [route, request] of Object.entries(rightRequests)) {
      const [method = ''] = route.split(' ');
      if (method === 'GET') continue;
      const { path: at, body } = request(await fullOrganization(served, key));
      const send = (content?: object) =>
        served.ask(method, at, {
          key,
          body: content,
          headers: { 'Idempotency-Key': `again-${route.replace(' ', '')}` },
        });
      expect([route, Math.floor((await send(body)).status / 100)]).toEqual([route, 2]);
      if ((await send({ ...body, other: 1 })).status === 422) refusing.push(route);
    }
    // other specs send these requests
    const elsewhere = Object.keys({ ...buyerRequests, ...domainRequests });
    expect(documented.filter((route) => !elsewhere.includes(route)).sort()).toEqual(refusing.sort());
  });

  it('L2: that is used again with another method or path gets 422', async () => {
    const id = await founded(served, { by: key });
    const reason = { reason: 'moved' };
    expect((await post(path(id, '/close'), reason, 'one')).status).toBe(200);
    expect((await post(path(id, '/reopen'), reason, 'one')).status).toBe(422);
    const put = await served.ask('PUT', path(id, '/close'), {
      key,
      body: reason,
      headers: { 'Idempotency-Key': 'one' },
    });
    expect(put.status).toBe(405);
    const patch = await served.ask('PATCH', path(id), {
      key,
      body: { name: 'X' },
      headers: { 'Idempotency-Key': 'one' },
    });
    expect(patch.status).toBe(422);
    expect(await written()).toBe(2);
  });

  it('L8: that is used again for another organization or by another caller belongs to a separate command', async () => {
    const [one, two, other] = [
      await founded(served, { by: key }),
      await founded(served, { by: key }),
      await served.key(),
    ];
    const [a, b] = [member(), member()];
    const answers = [
      await post(path(one, '/members'), a, 'k'),
      await post(path(two, '/members'), a, 'k'),
      await post(path(one, '/members'), b, 'k', other),
      await post('/api/v1/organizations', { name: 'Acme' }, 'k'),
      await post('/api/v1/organizations', { name: 'Acme' }, 'k', other),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(answers[3]!.body.id).not.toBe(answers[4]!.body.id);
    expect(await written()).toBe(7);
  });

  it('L6: is not used up by a malformed, forbidden, stale or failed request', async () => {
    const id = await founded(served, { by: key });
    const weak = await served.key({ scopes: ['organizations:read'] });
    const one = member();
    const ask = (body: unknown, at = path(id, '/members'), headers = {}) =>
      served.ask('POST', at, { key, body, headers: { 'Idempotency-Key': 'one', ...headers } });
    const failures = [
      await ask({ user: 'me' }),
      await ask('{'),
      await ask(one, path(id, '/members'), { 'If-Match': '"7"' }),
      await ask({ commands: [{ type: 'RemoveMember', data: { member: one.user } }] }, path(id, '/commands')),
    ];
    expect(failures.map(({ status }) => status)).toEqual([400, 400, 412, 404]);
    expect((await post(path(id, '/members'), one, 'one', weak)).status).toBe(403);
    expect((await ask(one)).status).toBe(201);
  });

  it('L7: has 1 to 255 printable characters', async () => {
    const id = await founded(served, { by: key });
    for (const once of ['', ' ', 'two words', 'é', 'k'.repeat(256), 'k'.repeat(1024), 'tab\there']) {
      const { status, body } = await post(path(id, '/members'), member(), once);
      expect([once, status, body.errors?.[0].path]).toEqual([once, 400, 'Idempotency-Key']);
    }
    const twice = await served.ask('POST', path(id, '/members'), {
      key,
      body: member(),
      headers: { 'Idempotency-Key': ['a', 'b'] },
    });
    expect(twice.status).toBe(400);
    expect(await written()).toBe(1);
    expect((await post(path(id, '/members'), member(), '!'.repeat(255))).status).toBe(201);
  });
});

describe('Command whose process crashed', () => {
  const noAnswer = { answer: () => Promise.reject(new Error('dead')), withdraw: () => Promise.resolve() };
  /** Restarts the service on the same stores. `faults` replaces functions of the stores by functions that fail. */
  const restarted = async (faults: Parameters<typeof faulty>[0] = {}) => {
    await served.stop();
    served = await serving({ folder: served.folder, between: faulty(faults) });
  };

  it('between the claim of the Idempotency-Key and the append runs once when the caller retries it', async () => {
    const id = await founded(served, { by: key });
    const one = member();
    const append = () => Promise.reject(new LogError('unavailable', 'dead'));
    await restarted({ log: { append }, receipts: noAnswer });
    expect((await post(path(id, '/members'), one, 'one')).status).toBe(503);
    await restarted();
    const [first, again] = [await post(path(id, '/members'), one, 'one'), await post(path(id, '/members'), one, 'one')];
    expect([first.status, equal([first, again]).size, await written()]).toEqual([201, 1, 2]);
  });

  it.each([
    ['/sites', { hostname: 'shop.example' }],
    ['/add-ons', { addOn: 'feedback' }],
    ['/commands', { commands: [{ type: 'AddSite', data: { hostname: 'a.example' } }, { type: 'DisableProduct' }] }],
  ])(
    'between the append and the answer of %s is not executed again; the retry gets the answer of the append',
    async (rest, body) => {
      const id = await founded(served, { by: key });
      await restarted({ receipts: noAnswer });
      expect((await post(path(id, rest), body, 'one')).status).toBe(500);
      await restarted();
      const count = await written();
      await done(served, key, id, ['PATCH', '', { name: 'Moved on' }]);

      const [first, again] = [await post(path(id, rest), body, 'one'), await post(path(id, rest), body, 'one')];
      expect([Math.floor(first.status / 100), first.body.revision]).toEqual([2, count - 1]);
      expect(first.body.events).toHaveLength(count - 1);
      expect([equal([first, again]).size, await written()]).toEqual([1, count + 1]);
    },
  );

  it.each(['{}', '{"commands":[null]}', '{"commands":[{"type":"constructor","data":{}}]}'])(
    'is refused at the retry if its body is malformed: %s',
    async (body) => {
      const id = await founded(served, { by: key });
      await restarted({ receipts: noAnswer });
      expect((await post(path(id, '/commands'), body, 'one')).status).toBe(400);
      await restarted();
      expect((await post(path(id, '/commands'), body, 'one')).status).toBe(400);
    },
  );

  it('after the founding of an organization returns this organization at the retry', async () => {
    const founding = { name: 'Acme', owner: randomUUID() };
    await restarted({ receipts: noAnswer });
    expect((await post('/api/v1/organizations', founding, 'found-again')).status).toBe(500);
    await restarted();
    const [first, again] = [
      await post('/api/v1/organizations', founding, 'found-again'),
      await post('/api/v1/organizations', founding, 'found-again'),
    ];
    expect([first.status, equal([first, again]).size, await written()]).toEqual([201, 1, 2]);
  });
});
