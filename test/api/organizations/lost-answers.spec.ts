import { randomUUID } from 'node:crypto';
import { times } from '../../nightly/length';
import { send } from '../../support/requests/http';
import { everyEventIn, type Served, serving } from '../../support/serving';
import { type TcpProxy, tcpProxy } from '../../support/network/tcp-proxy';
import { jsonRoutes, rightRequests, fullOrganization } from '../../support/requests/hostile-world';

let served: Served;
let proxy: TcpProxy;
let key: string;
beforeAll(async () => {
  served = await serving();
  proxy = await tcpProxy(Number(new URL(served.url).port));
  key = await served.key();
});
afterAll(async () => {
  await proxy.close();
  await served.close();
});

/** Those that change something in the world that each has for itself: nothing is closed there. */
const routes = jsonRoutes.filter((route) => !/preview$|reopen$/.test(route));

// Ten times at least with every change, a hundred times at night.
const TIMES = Math.max(routes.length, times(10, 100));

it(`L3: an answer that is lost after the commit, on every route that takes a body, ${TIMES} times: asked again, it has happened once`, async () => {
  for (let time = 0; time < TIMES; time += 1) {
    const route = routes[time % routes.length]!;
    const { path, body } = rightRequests[route]!(await fullOrganization(served, key));
    const headers = { 'Idempotency-Key': randomUUID() };
    const ask = () =>
      send(`http://127.0.0.1:${proxy.port}${path}`, route.split(' ')[0]!, { key, headers, ...(body && { body }) });
    const before = await everyEventIn(served);
    proxy.lose();
    await expect(ask()).rejects.toThrow(/ECONNRESET|hang up/);
    await proxy.mend();
    const written = (await everyEventIn(served)) - before;
    const again = await ask();
    const twice = await ask();
    expect([route, Math.floor(again.status / 100), twice.text]).toEqual([route, 2, again.text]);
    expect([route, written > 0, (await everyEventIn(served)) - before]).toEqual([route, true, written]);
  }
}, 120_000);
