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
  storyOf,
  tokenIn,
} from '../../support/sign-in/people';
import { type Served, serving } from '../../support/serving';

let served: Served;
beforeAll(async () => {
  served = await serving();
});
afterAll(() => served.close());

const another = () => `${randomUUID()}@people.example`;
const wishes = (here: Browser, wish: object) => here.send('PATCH', '/api/v1/me', { ...wish, password: PASSWORD });
const confirms = (here: Browser, token: string) => here.send('POST', '/email/confirm', { token });
const told = async (account: Account) => (await storyOf(served, account)).map(({ type }) => type).slice(1);
const now = async ({ id }: Account) => (await served.charter.documents.people.accounts.byId(id))!;

/** A browser whose session an organization's own provider vouched for. */
async function boundTo(organization: string, { id }: Account): Promise<Browser> {
  const here = await browser(served);
  const random = { bytes: randomBytes, uuid: randomUUID };
  const { cookie, session } = newSession(id, 'sso', 'a spec', random, served.clock.now(), organization);
  expect(await served.charter.documents.people.sessions.insert(session)).toBe(true);
  here.cookies.set(SESSION, cookie);
  await here.get('/'); // and a token that belongs to it
  return here;
}

describe('asking for another address', () => {
  it('does all of it or nothing: once too many mails were asked for, the name stays too', async () => {
    const ada = await person(served, { name: 'Ada' });
    const here = await signedIn(served, ada);
    for (let round = 0; round < 3; round += 1) expect((await wishes(here, { email: another() })).status).toBe(200);
    expect((await wishes(here, { name: 'Another', email: another() })).status).toBe(429);
    expect((await now(ada)).name).toBe('Ada');
    expect(await told(ada)).toEqual(Array(3).fill('EmailChangeRequested'));
    expect(await mailsOf(served, ada)).toHaveLength(3);
  });

  it('changes the name and mails the link', async () => {
    const ada = await person(served, { name: 'Ada' });
    const here = await signedIn(served, ada);
    const email = another();
    const answer = await wishes(here, { name: 'Ada L', email });
    expect([answer.status, answer.body.name, answer.body.email]).toEqual([200, 'Ada L', ada.email]);
    expect((await mailsOf(served, ada)).map(({ to }) => to)).toEqual([email]);
    expect((await told(ada)).sort()).toEqual(['EmailChangeRequested', 'NamesChanged']);
  });

  it('for the address that one has already is nothing at all', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    for (let round = 0; round < 5; round += 1) expect((await wishes(here, { email: ada.email })).status).toBe(200);
    expect([await told(ada), await mailsOf(served, ada)]).toEqual([[], []]);
  });

  it('for one that somebody else has looks in every way like any other', async () => {
    const [ada, bob, eve] = [await person(served), await person(served), await person(served)];
    const tries = [];
    for (const [account, email] of [
      [ada, another()],
      [bob, eve.email],
    ] as const) {
      const here = await signedIn(served, account);
      const statuses = [];
      for (let round = 0; round < 4; round += 1) statuses.push((await wishes(here, { email })).status);
      tries.push([statuses, await told(account)]);
    }
    expect(tries[1]).toEqual(tries[0]);
    expect(await mailsOf(served, bob)).toEqual([]);
  });
});

describe('confirming an address', () => {
  it('that somebody else took meanwhile changes nothing, says nothing, and leaves the link good', async () => {
    const [ada, eve] = [await person(served), await person(served)];
    const here = await signedIn(served, ada);
    const email = another();
    await wishes(here, { email });
    const token = tokenIn((await mailsOf(served, ada)).at(-1)!);
    const { accounts } = served.charter.documents.people;
    expect(await accounts.change(eve.id, 0, { email })).toBe('changed');
    const refused = await confirms(here, token);
    expect([refused.status, refused.body.type]).toEqual([400, '/problems/reset-link-invalid']);
    expect(await told(ada)).toEqual(['EmailChangeRequested']);
    expect((await now(ada)).email).toBe(ada.email);

    expect(await accounts.change(eve.id, 1, { email: eve.email })).toBe('changed');
    expect((await confirms(here, token)).status).toBe(204);
    expect(await told(ada)).toEqual(['EmailChangeRequested', 'EmailChanged']);
  });

  it('works once, also for nine at once', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    await wishes(here, { email: another() });
    const token = tokenIn((await mailsOf(served, ada)).at(-1)!);
    const others = await Promise.all(Array.from({ length: 9 }, () => browser(served)));
    const statuses = (await Promise.all(others.map((other) => confirms(other, token)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([204, ...Array<number>(8).fill(400)]);
  });

  it('leaves a session bound to its organization as narrow as it was', async () => {
    const ada = await person(served);
    const organization = randomUUID();
    const here = await boundTo(organization, ada);
    const email = another();
    const token = (await linkFor(served.runtime, 'email', ada.id, email)).split('/').at(-1)!;
    expect((await confirms(here, token)).status).toBe(204);
    expect((await here.get('/api/v1/me')).body.email).toBe(email);
    const sessions = await served.charter.documents.people.sessions.listOf(ada.id, '');
    expect(sessions.map((session) => [session.method, session.organization])).toEqual([['sso', organization]]);
    expect((await here.send('PATCH', '/api/v1/me', { name: 'Anybody' })).status).toBe(403);
  });
});
