import { DatabaseUnavailable } from '@charter/database';
import { randomUUID } from 'node:crypto';
import { type Account, PASSWORD_LENGTH_MAX } from '@charter/identity';
import { hash } from '@node-rs/argon2';
import {
  type Browser,
  browser,
  PASSWORD,
  person,
  SESSION,
  signedIn,
  accountEventsOf,
  comparable,
} from '../../support/sign-in/people';
import { paused, resumed, type Served, serving } from '../../support/serving';

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());

let next = 0;
/** A browser with its own client address, so that no other browser uses up the limits of this address. */
const fresh = () => browser(served, `198.51.${(next += 1) >> 8}.${next & 255}`);
const isIn = async (here: Browser) => (await here.get('/api/v1/organizations')).status === 200;

describe('A: Sign-in', () => {
  it('A1: gets the same answer if the username, the password or the account is refused, and begins no session', async () => {
    const [known, disabled, invited, google, erased] = [
      await person(served, { username: 'a1-known' }),
      await person(served, { state: 'disabled' }),
      await person(served, { state: 'invited' }),
      await person(served, { password: null }),
      await person(served),
    ];
    await served.charter.database.people.accounts.erase(erased.id, served.clock.now());
    const tries: readonly (readonly [string, string, string])[] = [
      ['unknown address', 'unknown@people.example', PASSWORD],
      ['unknown username', 'unknown-here', PASSWORD],
      ['wrong password by address', known.email!, `${PASSWORD}!`],
      ['wrong password by username', 'a1-known', `${PASSWORD}!`],
      ['disabled', disabled.email!, PASSWORD],
      ['invited', invited.email!, PASSWORD],
      ['Google only', google.email!, PASSWORD],
      ['erased', erased.email!, PASSWORD],
      ['empty password', known.email!, ''],
      ['long password', known.email!, 'x'.repeat(129)],
      ['very long password', known.email!, 'x'.repeat(90_000)],
      ['malformed address', 'a@@b', PASSWORD],
      ['empty username', '', PASSWORD],
    ];
    const answers = new Map<string, object>();
    for (const [name, username, password] of tries) {
      const here = await fresh();
      const before = here.cookieHeader();
      answers.set(name, comparable(await here.logIn(username, password)));
      expect([name, here.cookieHeader()]).toEqual([name, before]);
    }
    const first = answers.get('unknown address')!;
    expect(first).toMatchObject({ status: 401, text: expect.stringContaining('Incorrect username or password.') });
    for (const [name, answer] of answers) expect([name, answer]).toEqual([name, first]);
  });

  it('A4: finds an account by address or username, in upper or lower case and with spaces around it', async () => {
    const ada = await person(served, { email: 'ada@a4.example', username: 'ada-a4' });
    for (const username of ['ada@a4.example', ' ADA@a4.EXAMPLE ', 'ada-a4', ' Ada-A4\t']) {
      const here = await fresh();
      expect([username, (await here.logIn(username)).status]).toEqual([username, 204]);
      expect(await isIn(here)).toBe(true);
    }
    expect((await accountEventsOf(served, ada)).map(({ type }) => type)).toEqual(Array(4).fill('SignedIn'));
  });

  it('A5: succeeds only with exactly the same password, in any Unicode form', async () => {
    const long = 'x'.repeat(72);
    const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
      [`  ${PASSWORD}  `, [`  ${PASSWORD}  `], [PASSWORD, ` ${PASSWORD} `]],
      [`${long}12345678`, [`${long}12345678`], [`${long}87654321`, long]],
      ['abcdefghijkl\u0000def', ['abcdefghijkl\u0000def'], ['abcdefghijkl', 'abcdefghijkldef']],
      ['Ünïcödé-pässwörd', ['Ünïcödé-pässwörd'.normalize('NFD'), 'Ünïcödé-pässwörd'], ['ünïcödé-pässwörd']],
      ['🐢'.repeat(12), ['🐢'.repeat(12)], ['🐢'.repeat(11)]],
      ['\u0390'.repeat(PASSWORD_LENGTH_MAX), ['\u03b9\u0308\u0301'.repeat(PASSWORD_LENGTH_MAX)], ['\u03b9'.repeat(12)]],
      ['p'.repeat(PASSWORD_LENGTH_MAX), ['p'.repeat(PASSWORD_LENGTH_MAX)], ['p'.repeat(PASSWORD_LENGTH_MAX - 1)]],
    ];
    for (const [password, right, wrong] of cases) {
      const ada = await person(served, { password });
      for (const each of wrong)
        expect([each, (await (await fresh()).logIn(ada.email!, each)).status]).toEqual([each, 401]);
      for (const each of right)
        expect([each, (await (await fresh()).logIn(ada.email!, each)).status]).toEqual([each, 204]);
    }
  });

  it('A7: hashes a password again if its stored hash was made with a lower cost', async () => {
    const service = await serving({ hasFullHashCost: true });
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const ada = await person(service, { passwordHash: weak });
    await signedIn(service, ada);
    await service.runtime.backgroundWork.settled();
    const now = (await service.charter.database.people.accounts.byId(ada.id))!;
    expect(now.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await signedIn(service, ada);
    await service.close();
  });

  it('A7: succeeds if another sign-in hashes the password again meanwhile', async () => {
    const service = await serving({ hasFullHashCost: true });
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    const ada = await person(service, { passwordHash: weak });
    const { passwords } = service.charter;
    const verify = passwords.verify.bind(passwords);
    const during = jest.spyOn(passwords, 'verify').mockImplementationOnce(async (...given) => {
      await signedIn(service, ada);
      await service.runtime.backgroundWork.settled();
      return verify(...given);
    });
    expect((await (await browser(service)).logIn(ada.email!)).status).toBe(204);
    during.mockRestore();
    await service.close();
  });

  it('A8: refuses a password of one MiB because of its size, without hashing it', async () => {
    const verify = jest.spyOn(served.charter.passwords, 'verify');
    const here = await fresh();
    const answer = await here.logIn('ada', 'x'.repeat(1_048_576));
    expect([answer.status, verify.mock.calls.length]).toEqual([413, 0]);
    verify.mockRestore();
  });

  it('A10: is throttled after ten failures for known and unknown accounts, even with the right password', async () => {
    const ada = await person(served);
    for (const [username, right] of [
      [ada.email!, PASSWORD],
      ['unknown@a10.example', PASSWORD],
    ] as const) {
      const statuses = [];
      for (let round = 0; round < 12; round += 1)
        statuses.push((await (await fresh()).logIn(username, 'wrong')).status);
      expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
      const answer = await (await fresh()).logIn(username, right);
      expect([answer.status, Number(answer.headers['retry-after']) > 800]).toEqual([429, true]);
    }
    const story = (await accountEventsOf(served, ada)).map(({ data }) => (data as { reason: string }).reason);
    // the throttling is recorded once
    expect(story).toEqual([...Array<string>(10).fill('wrong-password'), 'throttled']);
  });

  it('A11: verifies only ten of 200 concurrent guesses', async () => {
    const ada = await person(served);
    const verify = jest.spyOn(served.charter.passwords, 'verify');
    const browsers = await Promise.all(Array.from({ length: 50 }, fresh));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => browsers[index % 50]!.logIn(ada.email!, `guess number ${index}`)),
    );
    expect(verify.mock.calls).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(190);
    verify.mockRestore();
  });

  it('A13: succeeds after 25 sign-ins with the right password have arrived at once', async () => {
    const ada = await person(served);
    const browsers = await Promise.all(Array.from({ length: 25 }, fresh));
    const statuses = await Promise.all(browsers.map(async (page) => (await page.logIn(ada.email!)).status));
    expect(statuses.filter((status) => status !== 204 && status !== 429)).toEqual([]);
    expect((await (await fresh()).logIn(ada.email!)).status).toBe(204);
  });

  it.each([
    ['one address', () => '203.0.113.9'],
    ['one /64 of IPv6', () => `2001:db8:1:2:${randomUUID().slice(0, 4)}::1`],
  ])('A12: is throttled after a hundred guesses from %s', async (_, address) => {
    const statuses = [];
    const page = await browser(served);
    for (let round = 0; round < 104; round += 1) {
      const headers = { 'X-Forwarded-For': address() };
      const body = { username: `unknown-${round}`, password: '' };
      statuses.push((await page.send('POST', '/login', body, { headers })).status);
    }
    expect(statuses).toEqual([...Array<number>(100).fill(401), ...Array<number>(4).fill(429)]);
  });

  it('A12: counts no attempt for the username, and records one audit entry, while its client address is over the limit', async () => {
    const page = await browser(served, '203.0.113.77');
    const guess = (name: number) => page.send('POST', '/login', { username: `a12-${name}`, password: '' });
    for (let name = 0; name < 100; name += 1) await guess(name);
    const [count, add] = [
      jest.spyOn(served.charter.database.attempts, 'count'),
      jest.spyOn(served.runtime.deferred, 'add'),
    ];
    const statuses = [];
    for (let name = 100; name < 120; name += 1) statuses.push((await guess(name)).status);
    const counters = new Set(count.mock.calls.map(([bucket]) => bucket));
    expect({ statuses, counters: counters.size, entries: add.mock.calls.map(([, , entry]) => entry) }).toMatchObject({
      statuses: Array<number>(20).fill(429),
      counters: 2,
      entries: [{ fact: { type: 'SignInFailed', data: { reason: 'throttled' } } }],
    });
    count.mockRestore();
    add.mockRestore();
  });

  it('A12: is throttled by the address of the connection; forwarding headers of a stranger do not count', async () => {
    const direct = await serving();
    const page = await browser(direct);
    const statuses = [];
    for (let round = 0; round < 102; round += 1) {
      const address = `192.0.2.${round}`;
      const headers = { 'X-Forwarded-For': address, 'X-Real-IP': address, Forwarded: `for=${address}` };
      statuses.push((await page.send('POST', '/login', { username: `n-${round}`, password: '' }, { headers })).status);
    }
    expect(statuses.slice(98)).toEqual([401, 401, 429, 429]);
    await direct.close();
  });

  it('A13: works again 15 minutes after an attack, and sessions and /forgot work throughout', async () => {
    const ada = await person(served);
    const here = await signedIn(served, ada);
    for (let round = 0; round < 15; round += 1) await (await fresh()).logIn(ada.email!, 'guess');
    expect(await isIn(here)).toBe(true);
    expect((await (await fresh()).send('POST', '/forgot', { email: ada.email })).status).toBe(204);
    served.clock.advance(15 * 60_000);
    expect((await (await fresh()).logIn(ada.email!)).status).toBe(204);
  });

  it('A14: is still throttled after a restart', async () => {
    const first = await serving();
    const ada = await person(first);
    const page = await browser(first);
    for (let round = 0; round < 10; round += 1) await page.logIn(ada.email!, 'guess');
    await first.stop();
    const second = await serving({ folder: first.folder });
    expect((await (await browser(second)).logIn(ada.email!)).status).toBe(429);
    await second.close();
  });

  it('A14: is refused while attempts cannot be counted', async () => {
    const broken = await serving({
      between: (stores) => ({
        ...stores,
        database: {
          ...stores.database,
          attempts: { ...stores.database.attempts, count: () => Promise.reject(new DatabaseUnavailable('silent')) },
        },
      }),
    });
    const ada = await person(broken);
    const answer = await (await browser(broken)).logIn(ada.email!);
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    await broken.close();
  });

  it('A14: counts no failure while a store does not answer', async () => {
    const ada = await person(served);
    const find = jest
      .spyOn(served.charter.database.provenDomains, 'find')
      .mockRejectedValue(new DatabaseUnavailable('silent'));
    for (let round = 0; round < 11; round += 1)
      expect([round, (await (await fresh()).logIn(ada.email!)).status]).toEqual([round, 503]);
    find.mockRestore();
    expect((await (await fresh()).logIn(ada.email!)).status).toBe(204);
  });

  it('A16: begins a session that ends at once if the account is disabled or erased, even while the read model is paused', async () => {
    const { accounts } = served.charter.database.people;
    for (const end of [
      ({ id, version }: Account) => accounts.change(id, version, { state: 'disabled' }),
      ({ id }: Account) => accounts.erase(id, served.clock.now()),
    ]) {
      const dora = await person(served);
      const browsers = [await signedIn(served, dora), await signedIn(served, dora), await signedIn(served, dora)];
      for (const here of browsers) expect(await isIn(here)).toBe(true);
      await paused(served);
      await end(dora);
      for (const here of browsers) expect((await here.get('/api/v1/organizations')).status).toBe(401);
      await resumed(served);
    }
  });

  it('A18: gives the same refusal for a username or password that is not a text as for a wrong password', async () => {
    const ada = await person(served, { username: 'a18' });
    const here = await fresh();
    const refusal = comparable(await here.logIn('unknown'));
    const strange = [[], {}, 7, null, true, ['a18'], { a: 1 }];
    const bodies = [
      ...strange.flatMap((value) => [
        { username: value, password: PASSWORD },
        { username: 'a18', password: value },
      ]),
      { username: 'a18' },
      { password: PASSWORD },
      {},
      [],
      7,
      null,
      'a18',
      { username: 'a18', password: PASSWORD, role: 'operator' },
      `{"username":"unknown","username":"a18","password":${JSON.stringify(PASSWORD)}}`,
      `{"username":"a18","password":"x","password":${JSON.stringify(PASSWORD)}}`,
    ];
    for (const body of bodies) {
      const sent = typeof body === 'string' && body.startsWith('{') ? body : JSON.stringify(body);
      expect([sent, comparable(await here.send('POST', '/login', sent))]).toEqual([sent, refusal]);
    }
    for (const body of ['', '{', 'username=a18'])
      expect([body, (await here.send('POST', '/login', body)).status]).toEqual([body, 400]);
    expect(await accountEventsOf(served, ada)).toEqual([]);
    expect((await here.logIn('a18')).status).toBe(204);
  });
});

describe('T: Records of a sign-in', () => {
  it('T3: contain one log entry for each success and each failure, with the request id of its answer', async () => {
    const ada = await person(served);
    const here = await fresh();
    const failed = await here.logIn(ada.email!, 'wrong');
    const right = await here.logIn(ada.email!);
    const entriesOf = (id: unknown) => served.entries().filter(({ request }) => request === id);
    expect(entriesOf(failed.headers['request-id'])).toEqual([
      expect.objectContaining({
        result: '/problems/sign-in-refused',
        account: ada.id,
        why: 'wrong-password',
        status: 401,
      }),
    ]);
    expect(failed.body.instance).toBe(failed.headers['request-id']);
    expect(entriesOf(right.headers['request-id'])).toEqual([
      expect.objectContaining({
        result: 'signed-in',
        actor: { kind: 'account', id: ada.id },
        address: expect.any(String),
      }),
    ]);
    const story = await accountEventsOf(served, ada);
    expect(story.map(({ type, metadata }) => [type, metadata['correlation']]).sort()).toEqual(
      [
        ['SignInFailed', failed.headers['request-id']],
        ['SignedIn', right.headers['request-id']],
      ].sort(),
    );
  });

  it('T1: contain no e-mail address, password, cookie or token, nor do the answers', async () => {
    const canary = 'canary-tarantula';
    const ada = await person(served, { email: `${canary}@t1.example`, name: canary, username: canary });
    const here = await fresh();
    const answers = [
      await here.logIn(ada.email!, `${canary} wrong password`),
      await here.logIn(canary, `${canary} wrong`),
      await here.logIn(`${canary}-unknown`, canary),
      await here.send('POST', '/forgot', { email: canary, canary }),
      await here.send('POST', '/reset', { token: canary, password: canary }),
    ];
    await here.logIn(ada.email!);
    const secrets = [canary, here.cookies.get(SESSION)!, here.token()];
    await here.send('POST', '/forgot', { email: ada.email });
    await here.send('POST', '/logout');
    const everything = [
      ...served.lines,
      ...answers.map(({ text }) => text),
      JSON.stringify(await accountEventsOf(served, ada)),
    ];
    for (const secret of secrets) expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  });

  it('T2: stay in one line each, with line breaks and colour codes of the request escaped or removed', async () => {
    const here = await fresh();
    const before = served.lines.length;
    await here.send('POST', '/login', { username: `a\r\n{"level":60}\u001b[31m${'x'.repeat(10_000)}`, password: 'x' });
    const lines = served.lines.slice(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]!.trimEnd()).not.toMatch(/\p{Cc}/u);
    expect(lines[0]!.length).toBeLessThan(1_000);
  });
});
