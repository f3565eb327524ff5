import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { askDuring, meetingPlaces } from '../../crash/callers';
import { acknowledged, caughtUp, expectWhole, failed, leader, replaced } from '../../processes/observing';
import { balancer } from '../../support/network/balancer';
import { done, founded, path } from '../../support/requests/organizations';
import { browser, person, SESSION, signedIn } from '../../support/sign-in/people';
import { postgres } from '../../support/stores/postgres';
import { type Process, served, several, type Several } from '../../support/network/processes';
import { eventsOf, until } from '../../support/serving';
import { tcpProxy } from '../../support/network/tcp-proxy';
import { times } from '../length';

let all: Several;
let key: string;
let running: Process[];
beforeAll(async () => {
  all = await several();
  running = await Promise.all([all.start(), all.start()]);
  key = await all.key();
}, 180_000);
afterAll(() => all.end(), 60_000);

it('Q9: While new processes replace both processes one after the other under load, no request fails', async () => {
  const proxy = await balancer(...running.map(({ url }) => url));
  const places = await meetingPlaces({ url: proxy.url, key }, 3);
  const rolling = async () => {
    for (let round = 0; round < times(1, 25); round += 1)
      for (const index of [0, 1]) {
        const { by, exit } = await replaced(all, proxy, running[index]!);
        running[index] = by;
        expect([exit.code, exit.afterMs < 15_000]).toEqual([0, true]);
      }
  };
  const operations = await askDuring({ url: proxy.url, key }, places, rolling());
  expect(proxy.lost).toEqual([]);
  expect(failed(operations)).toEqual([]);
  await expectWhole(all, operations);
  await proxy.close();
});

it('N7: If the projecting process freezes under load and continues, no event is projected twice', async () => {
  const frozen = await leader(all, running);
  const other = running.find((one) => one !== frozen)!;
  const places = await meetingPlaces({ url: other.url, key }, 3);
  const freezing = async () => {
    await pause(500);
    frozen.freeze();
    await leader(all, [other]);
    await pause(times(3_000, 60_000));
    frozen.thaw();
    await pause(3_000);
  };
  const operations = await askDuring({ url: other.url, key }, places, freezing());
  expect(acknowledged(operations)).toBeGreaterThan(20);
  await expectWhole(all, operations);
  await until(async () => (await frozen.health()).status === 200, 15_000);
  // the other process still has the lease, and the process that was frozen waits for the lease
  expect(await leader(all, running)).toBe(other);
});

it('O6: Each time the process with the lease freezes, the lease moves to the other process, and the read model stays complete', async () => {
  const places = await meetingPlaces({ url: running[0]!.url, key }, 3);
  for (let time = 0; time < times(3, 20); time += 1) {
    const holder = await leader(all, running);
    const other = running.find((one) => one !== holder)!;
    const taking = async () => {
      holder.freeze();
      await leader(all, [other]);
      holder.thaw();
      await pause(500);
    };
    const operations = await askDuring({ url: other.url, key }, places, taking());
    await expectWhole(all, operations);
  }
});

it('M1: Of 200 concurrent additions of members, exactly as many succeed as seats are free, in every round', async () => {
  for (let time = 0; time < times(5, 50); time += 1) {
    const free = [1, 9, 40, 150, 199][time % 5]!;
    const one = served(all, running[0]!);
    const id = await founded(one, { by: key, owner: randomUUID() });
    await done(one, key, id, ['PUT', '/limits', { users: free + 1 }]);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        running[index % 2]!.ask('POST', path(id, '/members'), { key, body: { user: randomUUID(), role: 'member' } }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([time, free, count(201), count(409)]).toEqual([time, free, free, 200 - free]);
    const added = (await eventsOf(all, `organization-${id}`)).filter(({ type }) => type === 'MemberAdded');
    expect(added).toHaveLength(free + 1);
  }
});

it.each(['refuses', 'swallows'] as const)(
  'C11: While the session store %s connections, every request with a session and every sign-in gets 503; afterwards, an earlier session works on both processes',
  async (how) => {
    const database = await postgres();
    const address = await database.fresh();
    const between = await tcpProxy(Number(new URL(address).port));
    const own = await several({ DOCUMENTS: throughPort(address, between.port) });
    try {
      const two = await Promise.all([own.start(), own.start()]);
      const ada = await person(own);
      const here = await signedIn(two[0], ada);
      const strangers = new Map(await Promise.all(two.map(async (one) => [one, await browser(one)] as const)));
      const cookie = `${SESSION}=${here.cookies.get(SESSION)}`;
      const getAccount = ({ ask }: Process) => ask('GET', '/api/v1/me', { headers: { Cookie: cookie } });
      if (how === 'refuses') await between.refuse();
      else between.swallow();
      for (const one of two) {
        const began = performance.now();
        expect((await getAccount(one)).status).toBe(503);
        expect(performance.now() - began).toBeLessThan(5_000);
        const signIn = await strangers.get(one)!.logIn(ada.email!);
        expect([signIn.status, signIn.headers['set-cookie'] ?? []]).toEqual([503, []]);
        expect((await one.ask('GET', '/health/live')).status).toBe(200);
        expect((await one.health()).status).toBe(503);
      }
      await between.mend();
      await until(async () => (await Promise.all(two.map(getAccount))).every(({ status }) => status === 200), 30_000);
      const itsKey = await own.key();
      const id = await founded(served(own, two[0]), { by: itsKey });
      await caughtUp(own);
      expect((await two[1].ask('GET', path(id, '?atLeast=0'), { key: itsKey })).status).toBe(200);
    } finally {
      await own.end();
      await between.close();
    }
  },
);

const throughPort = (address: string, port: number) => {
  const url = new URL(address);
  url.port = String(port);
  return url.href;
};
