import { type Account, identifierOf } from '@charter/identity';
import { linkFor } from '../../../apps/api/src/sign-in/links';
import {
  type Browser,
  browser,
  mailsOf,
  PASSWORD,
  person,
  signedIn,
  accountEventsOf,
} from '../../support/sign-in/people';
import { type Served, serving, until } from '../../support/serving';

const OWNERS = 'the new password of the owner';
const THIEFS = 'the password that a thief wants';

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());
afterEach(() => jest.restoreAllMocks());

let next = 0;
const fresh = () => browser(served, `198.51.${(next += 1) >> 8}.${next & 255}`);
const isIn = async (here: Browser) => (await here.get('/api/v1/me')).status === 200;
const changing = (here: Browser, current = PASSWORD, password = THIEFS) =>
  here.send('PUT', '/api/v1/me/password', { current, password });
const problems = ({ status, body }: Awaited<ReturnType<typeof changing>>) => [status, body?.type as unknown];

/** Makes the next call of a function wait, before or after its work, until `letGo` is called. */
function stopNext(thing: object, name: string, when: 'before' | 'after' = 'before') {
  let release = (): void => undefined;
  let isStopped = false;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const functions = thing as Record<string, (...given: unknown[]) => Promise<unknown>>;
  const real = functions[name]!.bind(thing);
  const spy = jest.spyOn(functions, name);
  spy.mockImplementationOnce(async (...given) => {
    const result = when === 'after' ? await real(...given) : undefined;
    isStopped = true;
    await gate;
    return when === 'after' ? result : real(...given);
  });
  return { letGo: release, reached: () => until(() => isStopped) };
}

/** The owner of the account sets a new password with a link. */
async function ownerResets({ id, email }: Account): Promise<void> {
  const token = (await linkFor(served.runtime, 'reset', id, email)).split('/').at(-1)!;
  expect((await (await fresh()).send('POST', '/reset', { token, password: OWNERS })).status).toBe(204);
}
async function expectOnlyOwnerSignsIn(ada: Account, thief: Browser): Promise<void> {
  expect(await isIn(thief)).toBe(false);
  expect((await (await fresh()).logIn(ada.email!, THIEFS)).status).toBe(401);
  expect((await (await fresh()).logIn(ada.email!, OWNERS)).status).toBe(204);
}

describe('Thief with a session and the password, while the owner resets the password', () => {
  it('cannot change the password if Charter checked the old password before the reset', async () => {
    const ada = await person(served);
    const thief = await signedIn(served, ada);
    const hashing = stopNext(served.charter.passwords, 'hash');
    const change = changing(thief);
    await hashing.reached();
    await ownerResets(ada);
    hashing.letGo();
    expect(problems(await change)).toEqual([409, '/problems/changed-meanwhile']);
    await expectOnlyOwnerSignsIn(ada, thief);
    expect((await accountEventsOf(served, ada)).map(({ type }) => type)).not.toContain('PasswordChanged');
  });

  it('can change the password before the reset, but the reset then ends the new session', async () => {
    const ada = await person(served);
    const thief = await signedIn(served, ada);
    const beginning = stopNext(served.charter.database.people.sessions, 'insert');
    const change = changing(thief);
    await beginning.reached();
    await ownerResets(ada);
    beginning.letGo();
    await change;
    await expectOnlyOwnerSignsIn(ada, thief);
  });

  it('cannot change the e-mail address if Charter checked the old password before the reset', async () => {
    const ada = await person(served);
    const thief = await signedIn(served, ada);
    const verifying = stopNext(served.charter.passwords, 'verify', 'after');
    const change = thief.send('PATCH', '/api/v1/me', { email: 'thief@evil.example', password: PASSWORD });
    await verifying.reached();
    await ownerResets(ada);
    verifying.letGo();
    expect(problems(await change)).toEqual([409, '/problems/changed-meanwhile']);
    await expectOnlyOwnerSignsIn(ada, thief);
  });

  it('gets no mail to another address if the reset happens before Charter stores the link for this address', async () => {
    const ada = await person(served);
    const thief = await signedIn(served, ada);
    const linking = stopNext(served.charter.database.people.links, 'replace');
    const change = thief.send('PATCH', '/api/v1/me', { email: 'thief@evil.example', password: PASSWORD });
    await linking.reached();
    await ownerResets(ada).finally(linking.letGo);
    await change;
    expect((await mailsOf(served, ada)).map(({ to }) => to)).not.toContain('thief@evil.example');
    await expectOnlyOwnerSignsIn(ada, thief);
  });
});

describe('Password check of a signed-in person', () => {
  it('is not throttled when strangers guess the password of the same account', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    for (let round = 0; round < 12; round += 1) await (await fresh()).logIn(ada.email!, 'guess');
    expect((await (await fresh()).logIn(ada.email!)).status).toBe(429);
    expect((await here.send('POST', '/api/v1/me/sessions/end-others', { password: PASSWORD })).status).toBe(204);
    expect((await changing(here, PASSWORD, OWNERS)).status).toBe(204);
  });

  it('is throttled after ten failures of one session, but not for the other sessions of the account', async () => {
    const ada = await person(served);
    const [here, other] = [await signedIn(served, ada), await signedIn(served, ada)];
    const statuses = [];
    for (let round = 0; round < 11; round += 1) statuses.push((await changing(here, `guess ${round}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429]);
    expect((await changing(here)).status).toBe(429);
    expect((await changing(other, PASSWORD, OWNERS)).status).toBe(204);
  });
});

describe('Right passwords', () => {
  it('do not throttle later attempts, even if so many arrive at once that only ten are verified', async () => {
    const here = await signedIn(served, await person(served));
    const prove = () => here.send('POST', '/api/v1/me/sessions/end-others', { password: PASSWORD });
    const { passwords } = served.charter;
    const verify = passwords.verify.bind(passwords);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    jest.spyOn(passwords, 'verify').mockImplementation((...given) => gate.then(() => verify(...given)));
    const statuses: number[] = [];
    const all = Array.from({ length: 30 }, () => prove().then(({ status }) => statuses.push(status)));
    await until(() => statuses.length === 20); // ten more passwords wait for their verification
    release();
    await Promise.all(all);
    expect(statuses.sort()).toEqual([...Array<number>(10).fill(204), ...Array<number>(20).fill(429)]);
    expect((await prove()).status).toBe(204);
  });
});

describe('A10: Throttling, which must not reveal accounts,', () => {
  const spellings = (text: string) => [text, text.toUpperCase(), ` ${text}`, `${text}\t`, ` ${text.toUpperCase()} `];

  it.each([
    ['an address', 'ada.a10@people.example', 'unknown.a10@people.example'],
    ['a username', 'ada-a10', 'unknown-a10'],
  ])('starts after ten failures for known and unknown accounts, however %s is spelt', async (_, known, unknown) => {
    await person(served, { ...identifierOf(known) });
    for (const username of [known, unknown]) {
      const statuses = [];
      for (let round = 0; round < 15; round += 1)
        statuses.push((await (await fresh()).logIn(spellings(username)[round % 5]!, 'wrong')).status);
      expect([username, statuses]).toEqual([username, [...Array<number>(10).fill(401), ...Array<number>(5).fill(429)]]);
    }
  });
});
