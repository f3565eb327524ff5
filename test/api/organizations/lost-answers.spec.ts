import { randomUUID } from 'node:crypto';
import { times } from '../../nightly/length';
import { sendChecked } from '../../support/requests/checked-answers';
import { everyEventIn, type Served, serving } from '../../support/serving';
import { type TcpProxy, tcpProxy } from '../../support/network/tcp-proxy';
import { jsonRoutes, rightRequests, fullOrganization } from '../../support/requests/full-organization';

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

/** Routes that change a new, open organization. Each request uses its own organization. */
const routes = jsonRoutes.filter((route) => !/(preview|reopen|search|flag-tickets)$/.test(route));

// At least one request for every route; in nightly runs at least 100 requests.
const TIMES = Math.max(routes.length, times(10, 100));

it(`L3: a request that is repeated after a lost answer writes its events only once: ${TIMES} requests, over all routes with a body`, async () => {
  for (let time = 0; time < TIMES; time += 1) {
    const route = routes[time % routes.length]!;
    const { path, body } = rightRequests[route]!(await fullOrganization(served, key));
    const headers = { 'Idempotency-Key': randomUUID() };
    const ask = () =>
      sendChecked(`http://127.0.0.1:${proxy.port}${path}`, route.split(' ')[0]!, {
        key,
        headers,
        ...(body && { body }),
      });
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
