import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import type { EventLog } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import { times as shortOrLong } from '../../nightly/length';
import { withFaults } from '../../support/stores/faults';
import { sendChecked } from '../../support/requests/checked-answers';
import type { Answer, Sent } from '../../support/requests/http';
import { done, founded, path } from '../../support/requests/organizations';
import { eventsIn, type Served, serving, settled } from '../../support/serving';

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  await served.ask('GET', '/api/v1/organizations', { key }); // makes the process cache the key for the fast path
});
afterAll(() => served.close());

const ask = (method: string, at: string, body?: object, headers: Sent['headers'] = {}) =>
  served.ask(method, at, { key, body, headers });
const times = <Item>(count: number, of: (index: number) => Promise<Item>) =>
  Promise.all(Array.from({ length: count }, (_, index) => of(index)));
const counted = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status, body }) => (status < 300 ? String(status) : `${status} ${body.type}`))].map(
      ([name, found]) => [name, found.length],
    ),
  );
const usersOf = async (id: string) => (await ask('GET', path(id, '/entitlements/users'))).body;

/** An organization with one member and this number of free seats. */
async function withSeats(free: number): Promise<string> {
  const id = await founded(served, { by: key, owner: randomUUID() });
  await done(served, key, id, ['PUT', '/limits', { users: free + 1 }]);
  return id;
}

const paths = [
  ['the fast path', (): Sent['headers'] => ({})],
  ['the Nest route', (): Sent['headers'] => ({ 'Idempotency-Key': randomUUID() })],
] as const;

describe.each(paths)('M1, on %s: 200 concurrent additions of members', (_, headers) => {
  it.each([9, 150, 1, 0, 199])(
    'accept exactly as many members as there are free seats (%i); each refusal names the limit and the use',
    async (free) => {
      const id = await withSeats(free);
      const answers = await times(200, () =>
        ask('POST', path(id, '/members'), { user: randomUUID(), role: 'member' }, headers()),
      );
      const expected = { ...(free > 0 && { 201: free }), '409 /problems/limit-exceeded': 200 - free };
      expect(counted(answers)).toEqual(expected);
      for (const { body } of answers.filter(({ status }) => status === 409))
        expect(body).toMatchObject({ limit: 'users', allowed: free + 1, used: free + 1, requested: 1, hard: null });

      expect(await usersOf(id)).toMatchObject({ used: free + 1, remaining: 0, over: 0, revision: 2 + free });
      const revisions = answers.filter(({ status }) => status === 201).map(({ body }) => body.revision as number);
      expect(revisions.sort((a, b) => a - b)).toEqual(Array.from({ length: free }, (__, index) => index + 3));
    },
  );
});

describe('M1: 200 concurrent additions of members, five times in a row', () => {
  it.each([1, 2, 3, 4, 5])(
    'fill nine free seats exactly; some use the fast path, some the Nest route (round %i)',
    async () => {
      const id = await withSeats(9);
      const answers = await times(200, (index) =>
        ask('POST', path(id, '/members'), { user: randomUUID(), role: 'member' }, paths[index % 2]![1]()),
      );
      expect(counted(answers)).toEqual({ 201: 9, '409 /problems/limit-exceeded': 191 });
    },
  );
});

describe('M1: Two processes on the same stores', () => {
  it.each([9, 60])('fill %i free seats exactly', async (free) => {
    const other = await serving({ folder: served.folder, role: 'beside' });
    const id = await withSeats(free);
    const answers = await times(100, (index) =>
      (index % 2 === 0 ? served : other).ask('POST', path(id, '/members'), {
        key,
        body: { user: randomUUID(), role: 'member' },
      }),
    );
    expect(counted(answers)).toEqual({ 201: free, '409 /problems/limit-exceeded': 100 - free });
    await settled(served);
    expect((await usersOf(id)).used).toBe(free + 1);
    await other.stop();
  });
});

describe('M2: Concurrent additions', () => {
  it('of sites never exceed the limit', async () => {
    const id = await founded(served, { by: key });
    await done(served, key, id, ['PUT', '/limits', { contentSections: 3 }]);
    const answers = await times(50, (index) => ask('POST', path(id, '/sites'), { hostname: `s${index}.example` }));
    expect(counted(answers)).toEqual({ 201: 3, '409 /problems/limit-exceeded': 47 });
  });

  it('of quality-assurance domains never exceed a limit that comes from add-ons', async () => {
    const id = await founded(served, { by: key });
    await done(
      served,
      key,
      id,
      ['PUT', '/plan', { line: 'second', plan: 'teams' }],
      ['POST', '/add-ons', { addOn: 'qualityAssurance', quantity: 4 }],
    );
    const at = path(id, '/quality-assurance/domains');
    const answers = await times(50, (index) => ask('POST', at, { hostname: `q${index}.example` }));
    expect(counted(answers)).toEqual({ 201: 4, '409 /problems/limit-exceeded': 46 });
  });

  it('of members never exceed the hard limit of the plan `solo` (2 users), even with three add-ons `additionalUser`', async () => {
    const id = await founded(served, { by: key });
    await done(
      served,
      key,
      id,
      ['PUT', '/plan', { line: 'second', plan: 'solo' }],
      ['POST', '/add-ons', { addOn: 'additionalUser', quantity: 3 }],
    );
    const answers = await times(50, () => ask('POST', path(id, '/members'), { user: randomUUID(), role: 'member' }));
    expect(counted(answers)).toEqual({ 201: 2, '409 /problems/limit-exceeded': 48 });
    expect(answers.find(({ status }) => status === 409)!.body).toMatchObject({ allowed: 2, hard: 2, used: 2 });
  });

  it('of members never exceed the limit while other members are removed', async () => {
    const id = await withSeats(9);
    const first = await times(9, () => ask('POST', path(id, '/members'), { user: randomUUID(), role: 'member' }));
    const [removed, added] = await Promise.all([
      times(9, (index) => ask('DELETE', path(id, `/members/${first[index]!.body.id}`))),
      times(100, () => ask('POST', path(id, '/members'), { user: randomUUID(), role: 'member' })),
    ]);
    expect(counted(removed)).toEqual({ 200: 9 });
    const { 201: joined = 0 } = counted(added) as { 201?: number };
    expect(joined).toBeLessThanOrEqual(9);
    expect((await usersOf(id)).used).toBe(1 + joined);
    let used = 0;
    for await (const { type } of served.charter.log.readStream(`organization-${id}`)) {
      used += type === 'MemberAdded' ? 1 : type === 'MemberRemoved' ? -1 : 0;
      expect(used).toBeLessThanOrEqual(10);
    }
  });
});

describe('Concurrent requests', () => {
  it('M3: that add the same member 50 times write one event', async () => {
    const id = await founded(served, { by: key });
    const member = { user: randomUUID(), role: 'member' };
    const answers = await times(50, (index) => ask('POST', path(id, '/members'), member, paths[index % 2]![1]()));
    expect(counted(answers)).toEqual({ 200: 49, 201: 1 });
    expect((await usersOf(id)).revision).toBe(1);
  });

  it('M4: that add the same hostname 50 times succeed once, and are refused 49 times', async () => {
    const id = await founded(served, { by: key });
    const answers = await times(50, () => ask('POST', path(id, '/sites'), { hostname: 'shop.example' }));
    expect(counted(answers)).toEqual({ 201: 1, '409 /problems/hostname-taken': 49 });
  });

  it.each(Array.from({ length: shortOrLong(10, 100) }, (_, time) => time + 1))(
    'H9: that demote and remove both owners leave one owner (round %i)',
    async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      const id = await founded(served, { by: key, owner: one });
      await done(served, key, id, ['POST', '/members', { user: two, role: 'owner' }]);
      const answers = await Promise.all([
        ask('PATCH', path(id, `/members/${one}`), { role: 'member' }),
        ask('PATCH', path(id, `/members/${two}`), { role: 'admin' }),
        ask('DELETE', path(id, `/members/${one}`)),
        ask('DELETE', path(id, `/members/${two}`)),
      ]);
      const { members } = (await ask('GET', path(id))).body as { members: { role: string }[] };
      expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
      expect(answers.some(({ body }) => body.type === '/problems/last-owner')).toBe(true);
    },
  );

  it('succeed once if all expect the same revision: 49 of 50 get 412', async () => {
    const id = await founded(served, { by: key });
    const answers = await times(50, (index) =>
      ask('PATCH', path(id), { name: `Name ${index}` }, { 'If-Match': '"0"' }),
    );
    expect(counted(answers)).toEqual({ 200: 1, '412 /problems/stale': 49 });
  });

  it('to several organizations fill the free seats of all of them exactly, and each accepted request writes one event', async () => {
    const ids = await times(8, () => withSeats(5));
    const before = await eventsIn(served);
    const answers = await times(160, (index) =>
      ask('POST', path(ids[index % 8]!, '/members'), { user: randomUUID(), role: 'member' }),
    );
    expect(counted(answers)).toEqual({ 201: 40, '409 /problems/limit-exceeded': 120 });
    expect(await eventsIn(served)).toBe(before + 40);
  });
});

describe('More concurrent requests than one organization may have (Q2, Q5)', () => {
  it('get 429 with Retry-After at once; requests about other organizations succeed, and every waiting request gets an answer', async () => {
    const { slow, held, release } = slowLog();
    const busy = await serving({ between: (stores) => ({ ...stores, log: slow(stores.log) }) });
    const by = await busy.key();
    const id = await founded(busy, { by });
    const wellId = await founded(busy, { by });
    const member = () => ({ user: randomUUID(), role: 'member' });
    held(organizationStream(id));
    const agent = new Agent({ maxSockets: Infinity });
    const waiting = Array.from({ length: 1_100 }, () =>
      sendChecked(`${busy.url}${path(id, '/members')}`, 'POST', { key: by, body: member() }, agent),
    );
    const refused = await Promise.race(waiting); // a refusal, because the log still delays every append to this stream
    expect([refused.status, refused.body.type, refused.headers['retry-after']]).toEqual([429, '/problems/busy', '1']);
    const onNestRoute = { key: by, body: member(), headers: { 'Idempotency-Key': 'again' } };
    expect((await busy.ask('POST', path(id, '/members'), onNestRoute)).status).toBe(429);
    expect((await busy.ask('GET', path(id, '/entitlements/users'), { key: by })).status).toBe(200);
    expect((await busy.ask('POST', path(wellId, '/members'), { key: by, body: member() })).status).toBe(201);
    release();
    const answers = await Promise.all(waiting);
    expect(Object.keys(counted(answers)).sort()).toEqual(['201', '429 /problems/busy']);
    // the request that got 429 now succeeds with the same Idempotency-Key
    expect((await busy.ask('POST', path(id, '/members'), onNestRoute)).status).toBe(201);
    const accepted = answers.filter(({ status }) => status === 201).length + 1;
    expect((await busy.ask('GET', path(id, '/entitlements/users'), { key: by })).body.used).toBe(accepted);
    await busy.close();
  });
});

/** An event log that delays each append to the stream that `held` names, until `release` is called. */
function slowLog() {
  let stream = '';
  let open: Promise<void> = Promise.resolve();
  let release: () => void = () => undefined;
  return {
    slow: (log: EventLog): EventLog =>
      withFaults(log, {
        append: (...given) => (given[0] === stream ? open : Promise.resolve()).then(() => log.append(...given)),
      }),
    held: (held: string) => {
      stream = held;
      open = new Promise((resolve) => (release = resolve));
    },
    release: () => release(),
  };
}
