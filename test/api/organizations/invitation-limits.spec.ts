import { DatabaseUnavailable } from '@charter/database';
import { type Account } from '@charter/identity';
import { founded, path } from '../../support/requests/organizations';
import { type Browser, person, signedIn } from '../../support/sign-in/people';
import { everyEventIn, type Served, serving } from '../../support/serving';

const MINUTE = 60_000;
let served: Served;
let beside: Served;
let by: string;
beforeAll(async () => {
  served = await serving();
  beside = await serving({ folder: served.folder, role: 'beside', clock: served.clock });
  by = await served.key();
});
afterAll(async () => {
  await beside.stop();
  await served.close();
});

let next = 0;
const newAddress = () => `stranger-${(next += 1)}@people.example`;
const invite = (owner: Browser, id: string, email = newAddress()) =>
  owner.send('POST', path(id, '/members'), { email, role: 'member' });
/** An organization without a limit of members, and the owner's account. */
async function home(): Promise<{ id: string; owner: Account }> {
  const owner = await person(served);
  return { id: await founded(served, { by, owner: owner.id }), owner };
}
/** The browser of a new administrator, signed in at one of the two processes. */
async function admin(id: string, process = served): Promise<Browser> {
  const account = await person(served);
  const added = await served.ask('POST', path(id, '/members'), { key: by, body: { user: account.id, role: 'admin' } });
  expect(added.status).toBe(201);
  return signedIn(process, account);
}
const mails = async () => (await served.charter.database.mails.list({ limit: 1_000 })).length;

describe('H14: Invitations', () => {
  it('are limited to ten in ten minutes for each actor, counted over all processes', async () => {
    const { id, owner } = await home();
    const [here, there] = [await signedIn(served, owner), await signedIn(beside, owner)];
    const before = await mails();
    const statuses = [];
    for (let round = 0; round < 12; round += 1) statuses.push((await invite([here, there][round % 2]!, id)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(201), 429, 429]);
    expect(await mails()).toBe(before + 10);
    const refused = await invite(here, id);
    expect([refused.body.type, Number(refused.headers['retry-after']) > 500]).toEqual([
      '/problems/too-many-attempts',
      true,
    ]);
    // The limit also counts invitations of people with an account, so that 429 does not reveal who has an account.
    expect((await invite(here, id, (await person(served)).email!)).status).toBe(429);
    expect((await invite(await admin(id), id)).status).toBe(201);
    served.clock.advance(10 * MINUTE);
    expect((await invite(there, id)).status).toBe(201);
  });

  it('do not count if one of their counters fails', async () => {
    const { id, owner } = await home();
    const here = await signedIn(served, owner);
    const { attempts } = served.charter.database;
    const count = attempts.count.bind(attempts);
    for (let round = 0; round < 10; round += 1) {
      const failing = jest
        .spyOn(attempts, 'count')
        .mockImplementation((bucket, ...more) =>
          bucket.startsWith('invitations-day')
            ? Promise.reject(new DatabaseUnavailable('silent'))
            : count(bucket, ...more),
        );
      expect((await invite(here, id)).status).toBe(503);
      failing.mockRestore();
    }
    expect((await invite(here, id)).status).toBe(201);
  });

  it('are limited to 30 an hour and 100 a day for each organization', async () => {
    const { id } = await home();
    let sent = 0;
    for (let hour = 0; hour < 4; hour += 1) {
      const browsers = [await admin(id), await admin(id, beside), await admin(id), await admin(id, beside)];
      const statuses: number[] = [];
      for (let round = 0; round < 32; round += 1) statuses.push((await invite(browsers[round % 4]!, id)).status);
      const made = statuses.filter((status) => status === 201).length;
      expect([hour, made]).toEqual([hour, hour < 3 ? 30 : 10]);
      expect(statuses.slice(made)).toEqual(Array(32 - made).fill(429));
      sent += made;
      served.clock.advance(60 * MINUTE);
    }
    expect(sent).toBe(100);
    const waiting = await invite(await admin(id), id);
    expect([waiting.status, Number(waiting.headers['retry-after']) > 19 * 3_600]).toEqual([429, true]);
    const other = await home();
    expect((await invite(await signedIn(served, other.owner), other.id)).status).toBe(201);
    served.clock.advance(20 * 60 * MINUTE);
    expect((await invite(await admin(id), id)).status).toBe(201);
  });

  it('are not limited for operators, and not counted when the limit of members refuses them', async () => {
    const { id, owner } = await home();
    const op = await signedIn(served, await person(served, { role: 'operator' }));
    for (let round = 0; round < 35; round += 1) expect((await invite(op, id)).status).toBe(201);
    const hers = await signedIn(served, owner);
    const limit = (users: number) => served.ask('PUT', path(id, '/limits'), { key: by, body: { users } });
    await limit(36);
    for (let round = 0; round < 12; round += 1)
      expect((await invite(hers, id)).body.type).toBe('/problems/limit-exceeded');
    await limit(0);
    expect((await invite(hers, id)).status).toBe(201);
  });

  it('are not counted, and create no accounts, when the revision is stale', async () => {
    const { id, owner } = await home();
    const hers = await signedIn(served, owner);
    const { accounts } = served.charter.database.people;
    const known = await Promise.all(Array.from({ length: 20 }, async () => (await person(served)).email!));
    const unknown = known.map(() => newAddress());
    const before = await everyEventIn(served);
    for (const email of known.flatMap((address, index) => [address, unknown[index]!])) {
      const stale = { headers: { 'If-Match': '"99"' } };
      const refused = await hers.send('POST', path(id, '/members'), { email, role: 'member' }, stale);
      expect([refused.status, refused.body.type]).toEqual([412, '/problems/stale']);
    }
    expect(await everyEventIn(served)).toBe(before);
    for (const email of unknown) expect(await accounts.byEmail(email)).toBeUndefined();
    expect((await invite(hers, id)).status).toBe(201);
  });

  it('cannot be sent in a list of commands, because such a list accepts only ids of members', async () => {
    const { id, owner } = await home();
    const hers = await signedIn(served, owner);
    const before = await mails();
    const list = (data: object) =>
      hers.send('POST', path(id, '/commands'), { commands: Array(20).fill({ type: 'AddMember', data }) });
    expect((await list({ email: newAddress(), role: 'member' })).status).toBe(400);
    expect((await list({ member: newAddress(), role: 'member' })).status).toBe(400);
    await invite(hers, id);
    const invited = (await served.charter.database.people.accounts.byEmail(`stranger-${next}@people.example`))!;
    expect((await list({ member: invited.id, role: 'member' })).status).toBe(200);
    expect(await mails()).toBe(before + 1);
  });
});
