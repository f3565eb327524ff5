import { bareHttp, client, sampled } from '../load.mjs';
import { atLeast, rounds, row } from '../measure.mjs';
import { served } from '../product.mjs';
import { founded, keyIn } from '../stores.mjs';

const CALLERS = 64;
const ALL = '/ofrep/v1/evaluate/flags';
const ONE = `${ALL}/feedback`;

/**
 * Measures evaluations of one flag and of all flags, spread over a thousand organizations. Also measures answers with
 * 304 for one organization, because the ETag depends on the organization (`acceptance.md` V9).
 */
export async function ofrep({ folder, rounds: count }) {
  const { path, ids } = await founded(folder, 'ofrep', { organizations: 1_000, members: 20 });
  const headers = { Authorization: `Bearer ${await keyIn(path)}` };
  const service = await served(path);
  const load = client();
  const bodies = ids.map((targetingKey) => JSON.stringify({ context: { targetingKey } }));

  const sample = (rest, more = {}) =>
    sampled(`http://127.0.0.1:${service.port}${rest}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', ...more },
      body: bodies[0],
    });
  const known = { 'If-None-Match': (await sample(ALL)).headers.etag };
  const [bareOne, bareAll, bareSame] = await Promise.all(
    [sample(ONE), sample(ALL), sample(ALL, known)].map(async (one) => bareHttp(await one)),
  );
  const rate = (rest, { port = service.port, more = {}, body = bodies, expected = 200 } = {}) =>
    load.load({
      method: 'POST',
      port,
      callers: CALLERS,
      paths: [rest],
      headers: { ...headers, ...more },
      body,
      expected,
    });
  const same = { more: known, body: [bodies[0]], expected: 304 };
  const measures = {
    bareOne: () => rate(ONE, { port: bareOne.port }),
    one: () => rate(ONE),
    bareAll: () => rate(ALL, { port: bareAll.port }),
    all: () => rate(ALL),
    bareSame: () => rate(ALL, { port: bareSame.port, ...same }),
    same: () => rate(ALL, same),
  };
  for (const name of ['one', 'all', 'same']) await measures[name]();
  const figures = await rounds(
    count,
    Object.fromEntries(Object.entries(measures).map(([name, measure]) => [name, async () => (await measure()).rate])),
  );
  load.stop();
  for (const each of [bareOne, bareAll, bareSame, service]) await each.stop();
  return [
    row({
      name: 'OFREP: one flag',
      unit: '/s',
      values: figures.one,
      floor: figures.bareOne,
      target: { ratio: atLeast(0.6) },
    }),
    row({
      name: 'OFREP: all flags',
      unit: '/s',
      values: figures.all,
      floor: figures.bareAll,
      target: { ratio: atLeast(0.5) },
    }),
    row({
      name: 'OFREP: all flags, 304',
      unit: '/s',
      values: figures.same,
      floor: figures.bareSame,
      target: { ratio: atLeast(0.7) },
    }),
  ];
}
