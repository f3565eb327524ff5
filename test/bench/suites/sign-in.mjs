import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { bareHttp, client, hashing, sampled } from '../load.mjs';
import { atLeast, atMost, rounds, row } from '../measure.mjs';
import { lib, opened, served } from '../product.mjs';
import { byBench, founded, keyIn } from '../stores.mjs';

const PASSWORD = 'lighthouse marmalade seventeen';
const PEOPLE = 16;
/** The service's parameters for argon2id: 19 MiB of memory, and two passes (`acceptance.md` A7). */
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * The service computes two hashes at once (`AT_ONCE`). `CALLERS` is larger, so that the service never waits for a
 * request.
 */
const AT_ONCE = 2;
const CALLERS = 64;
/** The duration of a measurement, long enough for about two hundred hashes. */
const SECONDS = 2;
/**
 * The number of other requests a second. This rate is far below the capacity of the service, so only the sign-ins can
 * delay these requests.
 */
const OTHERS = 400;

/** Measures sign-ins, requests with session cookies, and the delay of other requests during many sign-ins. */
export async function signIn({ folder, rounds: count }) {
  const { path, ids } = await founded(folder, 'sign-in', { organizations: 100, members: 20 });
  const people = await settled(path, ids[0]);
  const key = { Authorization: `Bearer ${await keyIn(path)}` };
  const service = await served(path);
  const origin = `http://127.0.0.1:${service.port}`;
  const cookie = { Cookie: await cookieOf(origin, people[0]) };
  const [load, crowd] = [client(), client()];
  const hashes = hashing();

  const me = '/api/v1/me';
  const users = `/api/v1/organizations/${ids[0]}/entitlements/users`;
  const [bareMe, bareUsers] = await Promise.all(
    [me, users].map(async (rest) => bareHttp(await sampled(`${origin}${rest}`, { headers: cookie }))),
  );
  const get = (port, rest, headers, more = {}) =>
    load.load({ method: 'GET', port, callers: CALLERS, paths: [rest], headers, expected: 200, ...more });
  const signing = await signingIn(origin, people);
  const logins = (seconds = SECONDS) =>
    crowd.load({
      method: 'POST',
      port: service.port,
      callers: PEOPLE,
      seconds,
      paths: ['/login'],
      ...signing,
      expected: 204,
    });
  const others = () => get(service.port, users, key, { callers: 8, rate: OTHERS, seconds: SECONDS });
  const meanwhile = async () => {
    const crowded = logins(SECONDS + 1);
    await pause(400);
    const [{ p99 }] = await Promise.all([others(), crowded]);
    return p99;
  };

  for (const warm of [() => get(service.port, me, cookie), () => get(service.port, users, cookie), logins])
    await warm();
  const figures = await rounds(count, {
    bareMe: async () => (await get(bareMe.port, me, cookie)).rate,
    me: async () => (await get(service.port, me, cookie)).rate,
    bareUsers: async () => (await get(bareUsers.port, users, cookie)).rate,
    users: async () => (await get(service.port, users, cookie)).rate,
    hashes: () => hashes.rate({ parameters: ARGON2ID, atOnce: AT_ONCE, seconds: SECONDS }),
    logins: async () => (await logins()).rate,
    idle: async () => (await others()).p99,
    busy: meanwhile,
  });
  for (const each of [load, crowd, hashes]) each.stop();
  for (const each of [bareMe, bareUsers, service]) await each.stop();
  return rowsOf(figures);
}

const rowsOf = (figures) => [
  row({
    name: 'session check: who am I',
    unit: '/s',
    values: figures.me,
    floor: figures.bareMe,
    target: { ratio: atLeast(0.5) },
  }),
  row({
    name: 'session check: entitlement, 200',
    unit: '/s',
    values: figures.users,
    floor: figures.bareUsers,
    target: { ratio: atLeast(0.5) },
  }),
  row({
    name: 'POST /login, argon2id at 19 MiB',
    unit: '/s',
    values: figures.logins,
    floor: figures.hashes,
    target: { ratio: atLeast(0.9) },
  }),
  row({
    name: 'entitlement check during these sign-ins, p99',
    unit: 'ms',
    values: figures.busy,
    floor: figures.idle,
    target: { ratio: atMost(5) },
  }),
];

/** Makes accounts that can sign in. The accounts are members of one organization, and have the same password hash. */
export async function settled(path, organization, settings = {}) {
  const charter = await opened(path, 'server', settings);
  const passwordHash = await charter.passwords.hash(PASSWORD);
  const people = Array.from({ length: PEOPLE }, (_, index) => ({
    id: randomUUID(),
    email: `person${index}@bench.example`,
  }));
  for (const { id, email } of people) {
    await charter.database.people.accounts.insert({
      id,
      state: 'active',
      email,
      emailVerified: true,
      username: null,
      name: null,
      role: null,
      language: null,
      timeZone: null,
      singleKeys: null,
      passwordHash,
      created: new Date().toISOString(),
      version: 1,
    });
    const command = { type: 'AddMember', data: { member: id, role: 'member' } };
    await charter.organizations.execute(lib('organization').organizationStream(organization), command, byBench());
  }
  await lib('projections').rebuild(charter.log, charter.view, lib('organization-view').organizationView);
  await charter.close();
  return people;
}

/** The cookies of a browser that has opened the sign-in page: an anonymous session and its XSRF token. */
async function anonymous(origin) {
  const answer = await fetch(`${origin}/`);
  await answer.text();
  const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0]);
  const token = cookies.find((each) => each.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length);
  if (!token) throw new Error('The sign-in page set no XSRF-TOKEN.');
  return { Cookie: cookies.join('; '), 'X-XSRF-TOKEN': decodeURIComponent(token) };
}

const bodyOf = ({ email }) => JSON.stringify({ username: email, password: PASSWORD });

const signingIn = async (origin, people) => ({ headers: await anonymous(origin), body: people.map(bodyOf) });

export async function cookieOf(origin, person) {
  const headers = { ...(await anonymous(origin)), 'Content-Type': 'application/json' };
  const answer = await fetch(`${origin}/login`, { method: 'POST', headers, body: bodyOf(person) });
  if (answer.status !== 204) throw new Error(`Signing in answered ${answer.status}: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
}
