import { DatabaseUnavailable } from '@charter/database';
import { randomBytes, randomUUID } from 'node:crypto';
import { type Account, newSession } from '@charter/identity';
import { linkFor } from '../../../apps/api/src/sign-in/links';
import {
  type Browser,
  browser,
  mailsOf,
  PASSWORD,
  person,
  SESSION,
  signedIn,
  accountEventsOf,
  tokenIn,
} from '../../support/sign-in/people';
import { type Served, serving } from '../../support/serving';

let served: Served;
beforeAll(async () => {
  served = await serving();
});
afterAll(() => served.close());

const another = () => `${randomUUID()}@people.example`;
const changeAccount = (here: Browser, changes: object) =>
  here.send('PATCH', '/api/v1/me', { ...changes, password: PASSWORD });
const confirmAddress = (here: Browser, token: string) => here.send('POST', '/email/confirm', { token });
const eventTypes = async (account: Account) =>
  (await accountEventsOf(served, account)).map(({ type }) => type).slice(1);
const now = async ({ id }: Account) => (await served.charter.database.people.accounts.byId(id))!;

/** A browser with a session that began at an organization's own identity provider. */
async function boundTo(organization: string, { id }: Account): Promise<Browser> {
  const here = await browser(served);
  const random = { bytes: randomBytes, uuid: randomUUID };
  const { cookie, session } = newSession(id, 'sso', 'a spec', random, served.clock.now(), organization);
  expect(await served.charter.database.people.sessions.insert(session)).toBe(true);
  here.cookies.set(SESSION, cookie);
  await here.get('/'); // gets the XSRF token of this session
  return here;
}

describe('Request for another email address', () => {
  it('changes neither the address nor the name if the change of the address is throttled', async () => {
    const ada = await person(served, { name: 'Ada' });
    const here = await signedIn(served, ada);
    for (let round = 0; round < 3; round += 1)
      expect((await changeAccount(here, { email: another() })).status).toBe(200);
    expect((await changeAccount(here, { name: 'Another', email: another() })).status).toBe(429);
    expect((await now(ada)).name).toBe('Ada');
    expect(await eventTypes(ada)).toEqual(Array(3).fill('EmailChangeRequested'));
    expect(await mailsOf(served, ada)).toHaveLength(3);
  });

  it('is not throttled after a stranger has requested three reset links for the account', async () => {
    const ada = await person(served);
    for (let round = 0; round < 3; round += 1)
      await (await browser(served)).send('POST', '/forgot', { email: ada.email });
    expect(await mailsOf(served, ada)).toHaveLength(3);
    expect((await changeAccount(await signedIn(served, ada), { email: another() })).status).toBe(200);
    expect((await mailsOf(served, ada)).at(-1)!.kind).toBe('confirm-email');
  });

  it('changes the name at once, and mails a link that confirms the new address', async () => {
    const ada = await person(served, { name: 'Ada' });
    const here = await signedIn(served, ada);
    const email = another();
    const answer = await changeAccount(here, { name: 'Ada L', email });
    expect([answer.status, answer.body.name, answer.body.email]).toEqual([200, 'Ada L', ada.email]);
    expect((await mailsOf(served, ada)).map(({ to }) => to)).toEqual([email]);
    expect((await eventTypes(ada)).sort()).toEqual(['EmailChangeRequested', 'NamesChanged']);
  });

  it('mails the link although the name changes meanwhile, but not if the password, the state or the address changes', async () => {
    const changes = [
      [{ name: 'Ada' }, 1],
      [{ passwordHash: 'another' }, 0],
      [{ state: 'disabled' }, 0],
      [{ email: another() }, 0],
    ] as const;
    const { deferred, people } = served.charter.database;
    for (const [change, mails] of changes) {
      const ada = await person(served);
      const here = await signedIn(served, ada);
      const idle = jest.spyOn(deferred, 'take').mockResolvedValue([]);
      await changeAccount(here, { email: another() });
      expect(await people.accounts.change(ada.id, ada.version, change)).toBe('changed');
      idle.mockRestore();
      expect([change, (await mailsOf(served, ada)).length]).toEqual([change, mails]);
    }
  });

  it('mails the link although another sign-in hashes the same password again meanwhile', async () => {
    const { deferred, people } = served.charter.database;
    const ada = await person(served);
    const here = await signedIn(served, ada);
    const idle = jest.spyOn(deferred, 'take').mockResolvedValue([]);
    await changeAccount(here, { email: another() });
    await people.accounts.rehash(ada.id, ada.passwordHash!, 'again');
    idle.mockRestore();
    expect(await mailsOf(served, ada)).toHaveLength(1);
  });

  it('does not count against the limit of mails if the tables cannot store it', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    const lost = jest
      .spyOn(served.charter.database.deferred, 'add')
      .mockRejectedValue(new DatabaseUnavailable('no answer'));
    for (let round = 0; round < 4; round += 1)
      expect([round, (await changeAccount(here, { email: another() })).status]).toEqual([round, 503]);
    lost.mockRestore();
    expect((await changeAccount(here, { email: another() })).status).toBe(200);
    expect(await mailsOf(served, ada)).toHaveLength(1);
  });

  it('sends no mail if the address is the current one', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    for (let round = 0; round < 5; round += 1)
      expect((await changeAccount(here, { email: ada.email })).status).toBe(200);
    expect([await eventTypes(ada), await mailsOf(served, ada)]).toEqual([[], []]);
  });

  it('gets the same answer for an unused address and for the address of another account', async () => {
    const [ada, bob, eve] = [await person(served), await person(served), await person(served)];
    const tries = [];
    const stored = [];
    for (const [account, email] of [
      [ada, another()],
      [bob, eve.email],
    ] as const) {
      const here = await signedIn(served, account);
      const statuses = [];
      for (let round = 0; round < 4; round += 1) statuses.push((await changeAccount(here, { email })).status);
      tries.push([statuses, await eventTypes(account)]);
      const { links, mails } = (await here.get('/api/v1/me/export')).body;
      const withoutAddress = JSON.stringify({ links, mails }).replaceAll(email!, 'the address');
      stored.push(withoutAddress.replace(/"[0-9a-f]{8}-[^"]*"|"2[0-9]{3}-[^"]*"/g, '""'));
    }
    expect(tries[1]).toEqual(tries[0]);
    expect(stored[1]).toEqual(stored[0]);
    expect(stored[0]).toContain('"to":"the address"');
  });

  it('mails a notice without a link to the person who already has the address', async () => {
    const [bob, eve] = [await person(served), await person(served)];
    await changeAccount(await signedIn(served, bob), { email: eve.email });
    const mails = await mailsOf(served, bob);
    expect(mails.map(({ to, kind }) => [to, kind])).toEqual([[eve.email, 'confirm-email']]);
    expect(mails[0]!.text).toContain('The address already belongs to a different account, so nothing has changed.');
    expect(mails[0]!.text).not.toMatch(/https?:/);
  });
});

describe('Confirmation of an email address', () => {
  it('changes nothing while another account has the address, and leaves the link valid', async () => {
    const [ada, eve] = [await person(served), await person(served)];
    const here = await signedIn(served, ada);
    const email = another();
    await changeAccount(here, { email });
    const token = tokenIn((await mailsOf(served, ada)).at(-1)!);
    const { accounts } = served.charter.database.people;
    expect(await accounts.change(eve.id, 0, { email })).toBe('changed');
    const refused = await confirmAddress(here, token);
    expect([refused.status, refused.body.type]).toEqual([400, '/problems/reset-link-invalid']);
    expect(await eventTypes(ada)).toEqual(['EmailChangeRequested']);
    expect((await now(ada)).email).toBe(ada.email);

    expect(await accounts.change(eve.id, 1, { email: eve.email })).toBe('changed');
    expect((await confirmAddress(here, token)).status).toBe(204);
    expect(await eventTypes(ada)).toEqual(['EmailChangeRequested', 'EmailChanged']);
  });

  it('works once, even for nine concurrent requests', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    await changeAccount(here, { email: another() });
    const token = tokenIn((await mailsOf(served, ada)).at(-1)!);
    const others = await Promise.all(Array.from({ length: 9 }, () => browser(served)));
    const statuses = (await Promise.all(others.map((other) => confirmAddress(other, token)))).map(
      ({ status }) => status,
    );
    expect(statuses.sort()).toEqual([204, ...Array<number>(8).fill(400)]);
  });

  it("leaves a session from an organization's identity provider limited to that organization", async () => {
    const ada = await person(served);
    const organization = randomUUID();
    const here = await boundTo(organization, ada);
    const email = another();
    const token = (await linkFor(served.runtime, 'email', ada.id, email)).split('/').at(-1)!;
    expect((await confirmAddress(here, token)).status).toBe(204);
    expect((await here.get('/api/v1/me')).body.email).toBe(email);
    const sessions = await served.charter.database.people.sessions.listOf(ada.id, '');
    expect(sessions.map((session) => [session.method, session.organization])).toEqual([['sso', organization]]);
    expect((await here.send('PATCH', '/api/v1/me', { name: 'Anybody' })).status).toBe(403);
  });
});
