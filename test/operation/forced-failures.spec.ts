import { randomBytes, randomUUID } from 'node:crypto';
import { newLink } from '@charter/identity';
import type { Answer } from '../support/requests/http';
import { founded, path } from '../support/requests/organizations';
import { type Browser, browser, person, SESSION, signedIn } from '../support/sign-in/people';
import { type Served, serving, settled, type Stores, until } from '../support/serving';

/** `place`: the function that fails at present, such as `people.accounts.byEmail`. `hits`: the number of its calls. */
const fault = { place: '', hits: 0 };
const seen = new Set<string>();
const inside = 'SQLITE_ERROR: SELECT secret FROM accounts -- /srv/charter/documents.db v24.21.0';

/** Wraps the object: a function fails while `fault.place` names the function. */
function breakable<Thing extends object>(thing: Thing, name: string): Thing {
  return new Proxy(thing, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      const place = `${name}.${String(key)}`;
      if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
        return breakable(value, place);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        seen.add(place);
        if (fault.place === place) {
          fault.hits += 1;
          if (ANSWERS_AT_ONCE.test(place)) throw new Error(inside);
          return Promise.reject(new Error(inside));
        }
        const result: unknown = (value as (...given: unknown[]) => unknown).apply(target, given);
        return key === 'view' ? breakable(result as object, 'view') : result;
      };
    },
  });
}
/** These functions return no promise, so a fault makes them throw. All other functions of stores reject. */
const ANSWERS_AT_ONCE = /Sync$|\.(stamp|version|walBytes|read\w+)$/;
const broken = ({ catalogue, log, database }: Stores): Stores => ({
  catalogue,
  log: breakable(log, 'log'),
  database: breakable({ ...database }, 'documents'),
});

let served: Served;
let key: string;
let id: string;
beforeAll(async () => {
  served = await serving({ between: broken, environment: { RATE_LIMITS: 'on' } });
  key = await served.key();
  id = await founded(served, { by: key });
  await settled(served);
});
afterAll(async () => {
  fault.place = '';
  await served.close();
});

/** Sends requests of many kinds, and resolves with the answers. */
async function everything(): Promise<readonly Answer[]> {
  const page: Browser = await browser(served);
  const ask = (method: string, at: string, body?: object) =>
    served.ask(method, at, { key, body, headers: { 'Idempotency-Key': randomUUID() } });
  return [
    await page.logIn('unknown@people.example'),
    await page.send('POST', '/forgot', { email: 'unknown@people.example' }),
    await page.send('POST', '/reset', { token: 'x'.repeat(43), password: 'the password of no account' }),
    await page.send('POST', '/logout'),
    await page.get('/'),
    await ask('PATCH', path(id), { name: `Acme ${randomUUID()}` }),
    await ask('POST', path(id, '/members'), { user: randomUUID(), role: 'member' }),
    await ask('POST', '/api/v1/organizations', { name: 'Another' }),
    await ask('POST', path(id, '/preview'), { commands: [{ type: 'DisableProduct' }] }),
    await ask('GET', path(id)),
    await ask('GET', path(id, '/entitlements?asOf=0')),
    await ask('GET', path(id, '/entitlements/users')),
    await ask('GET', '/api/v1/organizations?q=a'),
    await served.ask('GET', '/api/v1/organizations', { key: `chk_${'0'.repeat(12)}_${'A'.repeat(43)}` }),
    await served.ask('GET', '/health/ready'),
    await served.ask('GET', '/metrics'),
  ];
}

/** The requests of an operator, with a new account and a mailed link each time. */
async function asAnOperator(): Promise<readonly Answer[]> {
  const account = await person(served, { role: 'operator' });
  const [page, other] = [await signedIn(served, account), await browser(served)];
  const { token, link } = newLink('reset', account.id, null, random, served.clock.now());
  await served.charter.database.people.links.replace(link);
  const mail = await givenUp();
  fault.place = underTest;
  const answers = [
    await page.get('/api/v1/mails'),
    await page.send('POST', `/api/v1/mails/${mail}/retry`),
    await page.get('/api/v1/organizations'),
    await page.get('/api/v1/accounts'),
    await page.get('/api/v1/keys'),
    await other.logIn(account.email!, 'not the right password'),
    await other.logIn(account.email!),
    await other.send('POST', '/logout'),
    await other.send('POST', '/forgot', { email: account.email }),
  ];
  await served.runtime.backgroundWork.settled();
  answers.push(await other.send('POST', '/reset', { token, password: 'another good password of mine' }));
  await served.runtime.backgroundWork.settled();
  answers.push(await page.send('POST', '/logout'));
  fault.place = '';
  return answers;
}

/** Adds a mail that could not be sent and returns its id. */
async function givenUp(): Promise<string> {
  const { mails } = served.charter.database;
  const mailed = { id: randomUUID(), kind: 'password-changed', account: null, to: 'a@people.example', language: 'en' };
  await mails.enqueue({ ...mailed, sealed: null, expires: '2027-01-01T00:00:00.000Z' }, served.clock.now());
  await mails.failed(mailed.id, { error: 'ECONNECTION', next: 'never' }, served.clock.now());
  return mailed.id;
}
const random = { bytes: (count: number) => randomBytes(count), uuid: () => randomUUID() };

const isSession = (line: string) => line.startsWith(`${SESSION}=`);

let underTest = '';

it('T4: the service answers at least 30 forced failures with problems that reveal no internal details, and recovers', async () => {
  await everything();
  await asAnOperator();
  const places = [...seen].filter((place) => !/\.(close|view|lease|subscribe\w*|stop)$/.test(place)).sort();
  const failed: string[] = [];
  const statuses = new Map<number, number>();
  const unanswered: unknown[] = [];
  for (const place of places) {
    [fault.hits, underTest] = [0, place];
    served.clock.advance(16 * 60_000); // After this time no request is throttled.
    fault.place = place;
    const answers = [...(await everything())];
    fault.place = '';
    answers.push(...(await asAnOperator()));
    await served.runtime.backgroundWork.settled();
    if (fault.hits > 0) failed.push(place);
    for (const { status, headers, text, body } of answers) {
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const leaked = status >= 400 && /SQLITE|SELECT|\/srv\/|v24\.|\.ts:|\.js:|node_modules/.exec(text)?.[0];
      expect([place, leaked || undefined]).toEqual([place, undefined]);
      // the health check answers 503 without a problem document, because its answer names the failing part
      if (status < 500 || 'checks' in (body ?? {})) continue;
      expect([place, headers['content-type']]).toEqual([place, 'application/problem+json; charset=utf-8']);
      expect(body).toMatchObject({ status, instance: expect.stringMatching(/^[\da-f-]{36}$/) });
      expect(body.instance).toBe(headers['request-id']);
      unanswered.push(body.instance);
      // the failed request began no session
      expect([place, (headers['set-cookie'] ?? []).filter(isSession)]).toEqual([place, []]);
    }
    expect([place, (await served.ask('GET', '/health/live')).status]).toEqual([place, 200]);
  }
  expect(failed.length).toBeGreaterThanOrEqual(30);
  expect((statuses.get(500) ?? 0) + (statuses.get(503) ?? 0)).toBeGreaterThan(30);

  // The log contains the reason of each failure.
  const reasons = new Map(served.entries().map(({ request, err, why }) => [request, err ?? why]));
  expect(unanswered.filter((request) => reasons.get(request) === undefined)).toEqual([]);
  expect(served.entries().filter(({ msg }) => msg === 'a request failed without a logged reason')).toEqual([]);

  // After all failures the service works as before.
  await until(async () => (await served.ask('GET', '/health/ready')).status === 200);
  const after = await everything();
  expect(after.filter(({ status }) => status >= 500)).toEqual([]);
  const readiness = served.entries().filter(({ msg }) => /^the service is (not ready|ready again)$/.test(String(msg)));
  expect(readiness).toContainEqual(expect.objectContaining({ level: 40, eventLog: `Error: ${inside}` }));
  expect(readiness.at(-1)).toMatchObject({ level: 30, msg: 'the service is ready again' });
  await settled(served);
}, 120_000);
