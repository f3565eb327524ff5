import { DatabaseUnavailable } from '@charter/database';
import { randomUUID } from 'node:crypto';
import { linkHash } from '@charter/identity';
import { linkFor } from '../../../apps/api/src/sign-in/links';
import {
  type Browser,
  accountEventsOf,
  browser,
  comparable,
  mailsOf,
  person,
  SESSION,
  signedIn,
  tokenIn,
  type WantedAccount,
} from '../../support/sign-in/people';
import type { Answer } from '../../support/requests/http';
import { founded, path } from '../../support/requests/organizations';
import { withFaults } from '../../support/stores/faults';
import { type Served, serving, type Stores } from '../../support/serving';

const NEW_PASSWORD = 'a whole new password 42';
const SECOND = 1_000;
const DAY = 86_400 * SECOND;

let broken = false;
let nameless = false;
/** Stores in which no session can begin while `broken` is true, and no member has a name while `nameless` is true. */
const between = ({ database, ...rest }: Stores): Stores => {
  const { sessions, introductions } = database.people;
  const among: typeof introductions.among = (...given) =>
    nameless ? Promise.reject(new DatabaseUnavailable('no answer')) : introductions.among(...given);
  const insert: typeof sessions.insert = (...given) =>
    broken ? Promise.reject(new DatabaseUnavailable('no answer')) : sessions.insert(...given);
  const people = {
    ...database.people,
    sessions: withFaults(sessions, { insert }),
    introductions: withFaults(introductions, { among }),
  };
  return { ...rest, database: { ...database, people } };
};

let served: Served;
let key: string;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' }, between });
  key = await served.key({ scopes: ['organizations:read', 'organizations:write', 'organizations:operate'] });
});
afterEach(() => void (broken = nameless = false));
afterAll(() => served.close());

let next = 0;
const fresh = () => browser(served, `198.51.${(next += 1) >> 8}.${next & 255}`);
const accounts = () => served.charter.database.people.accounts;

type Home = Readonly<{ id: string; owner: Browser; ownerId: string }>;
/** An organization, and a browser in which its owner is signed in. The other members see the owner's name. */
async function home(name = 'Northwind', wanted: WantedAccount = { name: 'Ada Lovelace' }): Promise<Home> {
  const account = await person(served, wanted);
  const id = await founded(served, { by: key, owner: account.id });
  await served.ask('PATCH', path(id), { key, body: { name } });
  const owner = await signedIn(served, account);
  await owner.send('POST', `/api/v1/me/organizations/${id}/accept`);
  return { id, owner, ownerId: account.id };
}
const invite = (owner: Browser, id: string, email: string) =>
  owner.send('POST', path(id, '/members'), { email, role: 'member' });
const newAddress = () => `invited-${(next += 1)}@people.example`;
const mailTo = async (email: string) => (await mailsOf(served, (await accounts().byEmail(email))!)).at(-1)!;
/** Invites a new address, and resolves with the token in the mail. */
async function invited(where?: Home) {
  const { id, owner, ownerId } = where ?? (await home());
  const email = newAddress();
  expect((await invite(owner, id, email)).status).toBe(201);
  const mail = await mailTo(email);
  return { id, owner, ownerId, email, mail, token: tokenIn(mail), account: (await accounts().byEmail(email))! };
}
const look = async (token: unknown, here?: Browser) => (here ?? (await fresh())).send('POST', '/invitation', { token });
const accept = async (token: string, more: object = {}, here?: Browser) =>
  (here ?? (await fresh())).send('POST', '/reset', { token, password: NEW_PASSWORD, ...more });
const problemOf = ({ status, body }: Answer) => ({ status, type: body?.type as string | undefined });
const invalid = { status: 400, type: '/problems/reset-link-invalid' };
const isSignedIn = async (here: Browser) => (await here.get('/api/v1/me')).status === 200;

describe('B17: Page of an invitation', () => {
  it('gets the organization, the inviter and the mailed address from the link, as often as it asks', async () => {
    const { id, token, email } = await invited();
    for (let round = 0; round < 12; round += 1) {
      const answer = await look(token, await browser(served, '203.0.113.61'));
      expect([answer.status, answer.body]).toEqual([
        200,
        { organization: { id, name: 'Northwind' }, inviter: 'Ada Lovelace', name: null, email },
      ]);
    }
    expect((await accept(token)).status).toBe(204);
  });

  it('gets no person for an invitation by an API key, by an operator, or by a member whose name is not introduced', async () => {
    const { id } = await home();
    const [byKey, byOperator] = [newAddress(), newAddress()];
    await served.ask('POST', path(id, '/members'), { key, body: { email: byKey, role: 'member' } });
    const operator = await signedIn(served, await person(served, { role: 'operator', name: 'Otto' }));
    await invite(operator, id, byOperator);
    const shy = await person(served, { name: 'Shy' });
    const other = await founded(served, { by: key, owner: shy.id });
    const byShy = newAddress();
    await invite(await signedIn(served, shy), other, byShy);
    for (const email of [byKey, byOperator, byShy]) {
      const mail = await mailTo(email);
      expect((await look(tokenIn(mail))).body).toMatchObject({
        organization: { name: expect.any(String) },
        inviter: null,
      });
      expect(mail.text).toMatch(/^You are invited to /);
    }
  });

  it('gets no organization, no inviter and no address for a link from the command line', async () => {
    const ada = await person(served, { state: 'invited', password: null, name: 'Ada' });
    const link = await linkFor(served.runtime, 'invitation', ada.id, null);
    expect(link).toMatch(/\/invitation\/[\w-]{43}$/);
    expect((await look(link.split('/').at(-1)!)).body).toEqual({
      organization: null,
      inviter: null,
      name: 'Ada',
      email: null,
    });
  });

  it('gets the organization that the person still belongs to, and no erased inviter', async () => {
    const first = await home('First');
    const { token, email, account } = await invited(first);
    const second = await home('Second');
    await invite(second.owner, second.id, email);
    expect(problemOf(await look(token))).toEqual(invalid);
    const newer = tokenIn(await mailTo(email));
    expect((await look(newer)).body).toMatchObject({ organization: { id: second.id, name: 'Second' } });
    await second.owner.send('DELETE', path(second.id, `/members/${account.id}`));
    expect((await look(newer)).body).toMatchObject({ organization: { id: first.id }, inviter: 'Ada Lovelace' });
    await accounts().erase(first.ownerId, served.clock.now());
    expect((await look(newer)).body).toMatchObject({ organization: { id: first.id }, inviter: null });
    expect((await mailTo(email)).text).not.toContain('First');
  });

  it('gets the organization and the inviter also after twenty refused sign-ins with the address', async () => {
    const { id, email, token, account } = await invited();
    for (let round = 0; round < 20; round += 1) {
      served.clock.advance(120 * SECOND); // the address may fail ten times in a quarter of an hour
      expect((await (await fresh()).logIn(email, 'wrong')).status).toBe(401);
    }
    const { length } = (await accountEventsOf(served, account)).filter(({ type }) => type === 'SignInFailed');
    expect(length).toBe(20);
    expect((await look(token)).body).toMatchObject({ organization: { id }, inviter: 'Ada Lovelace' });
  });

  it('H14: gets names that no program turns into a link, as the mail does', async () => {
    const { token, mail } = await invited(await home('evil.example/login', { name: 'www.evil.example' }));
    const { organization, inviter } = (await look(token)).body as {
      organization: { name: string };
      inviter: string;
    };
    expect([organization.name, inviter]).toEqual(['evil. example/ login', 'www. evil. example']);
    expect(mail.text).toContain(`${inviter} has invited you to ${organization.name} on`);
  });

  it('gets the same answer for every token that is not a valid invitation', async () => {
    const used = await invited();
    expect((await accept(used.token)).status).toBe(204);
    const expired = await invited();
    const other = await person(served);
    const disabled = await invited();
    await accounts().change(disabled.account.id, disabled.account.version, { state: 'disabled' });
    const google = await invited();
    await accounts().change(google.account.id, google.account.version, { state: 'active', emailVerified: true });
    const reset = (await linkFor(served.runtime, 'reset', other.id, other.email)).split('/').at(-1)!;
    const confirm = (await linkFor(served.runtime, 'email', other.id, newAddress())).split('/').at(-1)!;
    const hash = linkHash(expired.token);
    const answers = [];
    for (const token of [
      ...[used.token, disabled.token, google.token, reset, confirm, hash],
      ...[
        '',
        'x'.repeat(43),
        randomUUID(),
        '../reset',
        "' or 1=1 --",
        '\u0000',
        '%00',
        '{{token}}',
        '💥',
        'x'.repeat(1_000),
      ],
    ])
      answers.push(await look(token));
    served.clock.advance(7 * DAY + SECOND);
    answers.push(await look(expired.token));
    expect(new Set(answers.map((answer) => JSON.stringify(comparable(answer)))).size).toBe(1);
    expect(problemOf(answers[0]!)).toEqual(invalid);
    for (const token of [undefined, null, 7, [used.token], { $ne: '' }, 'x'.repeat(1_001)])
      expect([token, (await look(token)).body.type]).toEqual([token, '/problems/malformed']);
  });

  it('B13: is throttled after ten guesses in a minute from one network, together with POST /reset', async () => {
    const { token } = await invited();
    for (let round = 0; round < 10; round += 1) {
      const here = await browser(served, `2001:db8:9:7:${round}::1`);
      const guess = round % 2 ? look(randomUUID(), here) : accept(randomUUID(), {}, here);
      expect(problemOf(await guess)).toEqual(invalid);
    }
    const here = await browser(served, '2001:db8:9:7:99::1');
    for (const answer of [await look(token, here), await accept(token, {}, here)])
      expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
    expect((await look(token)).status).toBe(200);
  });

  it('B10: leaves the token in no log line, no event and no answer', async () => {
    const { token, account } = await invited();
    const here = await fresh();
    const page = await here.get(`/invitation/${token}`, { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers['cache-control'], page.headers['referrer-policy']]).toEqual([
      200,
      'no-store',
      'no-referrer',
    ]);
    const answers = [page, await look(token, here), await accept(token, { name: 'Bo Diddley' }, here)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204]);
    const lines = JSON.stringify([
      served.lines,
      await accountEventsOf(served, account),
      answers.map(({ text }) => text),
    ]);
    expect(lines).not.toContain(token);
    expect(lines).not.toContain('Bo Diddley');
  });
});

describe('B18: Link of an invitation', () => {
  it('is good for seven days', async () => {
    const early = await invited();
    served.clock.advance(7 * DAY - 5 * SECOND);
    expect((await look(early.token)).status).toBe(200);
    expect((await accept(early.token)).status).toBe(204);
    const late = await invited();
    served.clock.advance(7 * DAY + SECOND);
    expect(problemOf(await look(late.token))).toEqual(invalid);
    expect(problemOf(await accept(late.token))).toEqual(invalid);
  });

  it('signs the browser in, as a sign-in with the password does', async () => {
    const { token, account, email, id } = await invited();
    const here = await fresh();
    const [cookie, xsrf] = [here.cookies.get(SESSION), here.token()];
    const answer = await accept(token, {}, here);
    expect([answer.status, answer.text]).toEqual([204, '']);
    const login = await (await fresh()).logIn(email, NEW_PASSWORD);
    const shape = (one: Answer) =>
      (one.headers['set-cookie'] ?? [])
        .map((line) => line.replace(/=[^;]*/, '').replace(/Expires=[^;]*/, ''))
        .toSorted();
    expect(shape(answer)).toEqual(shape(login));
    expect(here.cookies.get(SESSION)).not.toBe(cookie);
    expect(here.token()).not.toBe(xsrf);
    expect(await isSignedIn(here)).toBe(true);
    expect((await here.get(path(id))).status).toBe(200);
    const events = await accountEventsOf(served, account);
    expect(events.map(({ type }) => type)).toEqual([
      'AccountCreated',
      'Invited',
      'PasswordReset',
      'SignedIn',
      'SignedIn',
    ]);
    const sessions = (await here.get('/api/v1/me/sessions')).body.sessions as { id: string; current: boolean }[];
    const [mine, theirs] = events.slice(-2);
    expect(mine!.data).toEqual({ method: 'password', session: sessions.find(({ current }) => current)!.id });
    expect(Object.keys(mine!.data as object)).toEqual(Object.keys(theirs!.data as object));
    expect(await accounts().byId(account.id)).toMatchObject({ state: 'active', emailVerified: true, name: null });
    expect((await mailsOf(served, account)).map(({ kind }) => kind)).toEqual(['invitation']);
  });

  it('C3: ends the session of another person in this browser', async () => {
    const { token, account } = await invited();
    const eve = await person(served);
    const here = await signedIn(served, eve);
    const former = here.cookieHeader();
    expect((await accept(token, {}, here)).status).toBe(204);
    expect((await here.get('/api/v1/me')).body.id).toBe(account.id);
    expect((await served.ask('GET', '/api/v1/me', { headers: { Cookie: former } })).status).toBe(401);
  });

  it('A16: marks the browser, so that failed sign-ins elsewhere do not lock it out', async () => {
    const { token, email } = await invited();
    const here = await fresh();
    expect((await accept(token, {}, here)).status).toBe(204);
    for (let round = 0; round < 11; round += 1) await (await fresh()).logIn(email, 'wrong');
    expect((await (await fresh()).logIn(email, NEW_PASSWORD)).status).toBe(429);
    expect((await here.logIn(email, NEW_PASSWORD)).status).toBe(204);
  });

  it('sets the password even if no session can begin; the person then signs in with the password', async () => {
    const { token, email } = await invited();
    const here = await fresh();
    broken = true;
    const answer = await accept(token, {}, here);
    broken = false;
    expect([answer.status, await isSignedIn(here)]).toEqual([204, false]);
    expect(answer.headers['set-cookie']!.join()).toContain('device');
    expect((await here.logIn(email, NEW_PASSWORD)).status).toBe(204);
  });

  it('works for exactly one of twenty concurrent requests, which alone signs in', async () => {
    const { token, email } = await invited();
    const browsers = await Promise.all(Array.from({ length: 20 }, fresh));
    const answers = await Promise.all(
      browsers.map((here, index) => accept(token, { password: `choice of number ${index}` }, here)),
    );
    const winners = browsers.filter((_, index) => answers[index]!.status === 204);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 204).map(problemOf)).toEqual(Array(19).fill(invalid));
    expect(await Promise.all(browsers.map(isSignedIn))).toEqual(browsers.map((one) => one === winners[0]));
    const password = `choice of number ${browsers.indexOf(winners[0]!)}`;
    expect((await (await fresh()).logIn(email, password)).status).toBe(204);
  });

  it('is refused after a newer invitation, and after the member was removed', async () => {
    const { token, id, owner, email, account } = await invited();
    expect((await invite(owner, id, email)).status).toBe(200);
    const newer = tokenIn(await mailTo(email));
    for (const answer of [await look(token), await accept(token)]) expect(problemOf(answer)).toEqual(invalid);
    expect((await look(newer)).status).toBe(200);
    await owner.send('DELETE', path(id, `/members/${account.id}`));
    for (const answer of [await look(newer), await accept(newer)]) expect(problemOf(answer)).toEqual(invalid);
  });

  it('is mailed by a newer invitation although a stranger has requested three reset links for the person', async () => {
    const { id, owner, email, account } = await invited();
    for (let round = 0; round < 3; round += 1) await (await fresh()).send('POST', '/forgot', { email });
    expect((await mailsOf(served, account)).map(({ kind }) => kind).slice(1)).toEqual(Array(3).fill('reset'));
    expect((await invite(owner, id, email)).status).toBe(200);
    expect((await mailTo(email)).kind).toBe('invitation');
  });

  it('is refused after the account has become active in another way, such as by Google', async () => {
    const { token, account } = await invited();
    await accounts().change(account.id, account.version, { state: 'active', emailVerified: true });
    expect(problemOf(await accept(token))).toEqual(invalid);
    expect((await accounts().byId(account.id))!.passwordHash).toBeNull();
  });

  it('stays valid after a refused password, and after a request for a reset link, whose link signs no browser in', async () => {
    const { token, email, account } = await invited();
    const refused = await accept(token, { password: 'short' });
    expect([refused.status, refused.body.because]).toEqual([400, 'too-short']);
    await (await fresh()).send('POST', '/forgot', { email });
    const reset = (await mailsOf(served, account)).at(-1)!;
    expect([reset.kind, reset.text]).toEqual(['reset', expect.stringMatching(/\/reset\/[\w-]{43}\n/)]);
    expect((await look(token)).status).toBe(200);
    const here = await fresh();
    expect((await accept(tokenIn(reset), {}, here)).status).toBe(204);
    expect(await isSignedIn(here)).toBe(false);
    expect(problemOf(await look(token))).toEqual(invalid);
    expect((await here.logIn(email, NEW_PASSWORD)).status).toBe(204);
  });
});

describe('B19: Name of the invited person', () => {
  it('is stored in its canonical form with the password, and is in no event', async () => {
    const { token, account, ownerId, owner, id } = await invited();
    expect((await accept(token, { name: '  Bo Diddley ' })).status).toBe(204);
    expect(await accounts().byId(account.id)).toMatchObject({ name: 'Bo Diddley' });
    const events = await accountEventsOf(served, account);
    expect(events.map(({ type, data }) => [type, data]).slice(2, 4)).toEqual([
      ['PasswordReset', { version: 0 }],
      ['NamesChanged', {}],
    ]);
    expect(JSON.stringify(events)).not.toContain('Diddley');
    const members = (await owner.get(path(id, '/members'))).body.members as { user: string; name?: string }[];
    expect(members.find(({ user }) => user === account.id)).toMatchObject({ name: 'Bo Diddley', invited: false });
    expect(members.find(({ user }) => user === ownerId)).toMatchObject({ name: 'Ada Lovelace' });
  });

  it('follows the rules of the account’s name; a refused name does not use the link', async () => {
    const { token, account } = await invited();
    for (const name of ['', '   ', 'a\u202eb', 'x'.repeat(201), 7, null, ['Bo'], { first: 'Bo' }]) {
      const answer = await accept(token, { name });
      expect([name, answer.status, answer.body.type]).toEqual([name, 400, '/problems/malformed']);
    }
    const personal = await accept(token, { name: 'Bartholomew Diddley', password: 'bartholomewdiddley' });
    expect([personal.status, personal.body.because]).toEqual([400, 'personal']);
    expect(await accounts().byId(account.id)).toMatchObject({ state: 'invited', name: null });
    expect((await accept(token, { name: 'Bo' })).status).toBe(204);
  });

  it('is refused with a reset link, which stays valid', async () => {
    const ada = await person(served, { name: 'Ada' });
    const token = (await linkFor(served.runtime, 'reset', ada.id, ada.email)).split('/').at(-1)!;
    const refused = await accept(token, { name: 'Eve' });
    expect([refused.status, refused.body.type]).toEqual([400, '/problems/malformed']);
    expect(refused.body.errors[0].path).toBe('name');
    expect((await accept(token)).status).toBe(204);
    expect(await accounts().byId(ada.id)).toMatchObject({ name: 'Ada' });
  });

  it('is known to the page if an operator has entered it, and stays if the page sends none', async () => {
    const ada = await person(served, { state: 'invited', password: null, name: 'Ada' });
    const token = (await linkFor(served.runtime, 'invitation', ada.id, null)).split('/').at(-1)!;
    expect((await look(token)).body.name).toBe('Ada');
    expect((await accept(token)).status).toBe(204);
    expect(await accounts().byId(ada.id)).toMatchObject({ name: 'Ada', state: 'active' });
  });
});

describe('B20: Mail of an invitation', () => {
  it('says who invites, to which organization, and that the link is good for seven days', async () => {
    const { mail } = await invited();
    expect(mail.kind).toBe('invitation');
    const { publicUrl } = served.runtime.settings;
    expect(mail.text).toContain('Ada Lovelace has invited you to Northwind on Pulse. Choose a password to begin.');
    expect(mail.text).toMatch(new RegExp(`\\n${publicUrl}/invitation/[\\w-]{43}\\n`));
    expect(mail.text).toContain('The link works once, and is good for 7 days.');
  });

  it.each([
    ['invited account', 'fi', 'en', 'en', true],
    ['inviter', null, 'fi', 'en', true],
    ['request, if the inviter has chosen no language', null, null, 'fi', true],
    ['inviter, even if the request is in another language', null, 'en', 'fi', false],
  ] as const)('is in the language of the %s', async (_, language, inviters, accepted, isFinnish) => {
    const { id, owner } = await home('Northwind', { name: 'Ada Lovelace', language: inviters });
    const bo = await person(served, { state: 'invited', password: null, language });
    const body = { email: bo.email, role: 'member' };
    await owner.send('POST', path(id, '/members'), body, { headers: { 'Accept-Language': accepted } });
    expect((await mailsOf(served, bo))[0]!.text.includes('Aloita valitsemalla salasana.')).toBe(isFinnish);
  });

  it('waits for the mail server as long as its link works', async () => {
    const { account, token } = await invited();
    const [mail] = (await served.charter.database.mails.list({ limit: 100 })).filter(
      (one) => one.account === account.id,
    );
    const link = (await served.charter.database.people.links.find(linkHash(token)))!;
    const [made, created] = [Date.parse(mail!.made), Date.parse(link.created)];
    expect([Date.parse(mail!.expires) - made, Date.parse(link.expires) - created]).toEqual([7 * DAY, 7 * DAY]);
  });

  it('names no person if the name cannot be read; the page then gets 503, and the link stays valid', async () => {
    const { email, token } = await invited();
    nameless = true;
    const [text, answer] = [(await mailTo(email)).text, await look(token)];
    nameless = false;
    expect(text).toMatch(/^You are invited to Northwind on Pulse\./);
    expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([503, true]);
    expect((await look(token)).body).toMatchObject({ inviter: 'Ada Lovelace' });
  });

  it('contains the inviter’s name only until the inviter is erased, because the outbox stores only the id', async () => {
    const { email, ownerId } = await invited();
    await accounts().erase(ownerId, served.clock.now());
    expect((await mailTo(email)).text).toMatch(/^You are invited to Northwind on Pulse\./);
  });
});
