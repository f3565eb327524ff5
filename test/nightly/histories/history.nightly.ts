import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { CommandLine } from '../../cli/command-line';
import { type Running, started } from '../../crash/server';
import { longPast } from '../../history/as-of/long-life';
import { send } from '../../support/requests/http';
import { until } from '../../support/serving';
import { times } from '../length';

const EVENTS = times(100_000, 1_000_000);
const MEMORY_MIB = 256;

const charter = new CommandLine();
let id: string;
let key: string;
let server: Running;
beforeAll(async () => {
  id = await charter.found('Acme');
  key = ((await charter.json('keys', 'create', '--name', 'audit', '--scopes', 'audit:read')).answer as { key: string })
    .key;
  await charter.inside((stores) => longPast(stores, id, EVENTS - 1));
  server = await started(charter);
}, 3_600_000);
afterAll(async () => {
  await server.kill();
  charter.remove();
});

/** The resident memory of the server, in MiB. */
const residentMib = () =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;

async function streamed(): Promise<Readonly<{ lines: number; mostMib: number }>> {
  const headers = { Authorization: `Bearer ${key}`, Accept: 'application/x-ndjson' };
  const outgoing = request(`${server.url}/api/v1/organizations/${id}/events`, { headers });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  let [lines, mostMib, chunks] = [0, 0, 0];
  for await (const chunk of response as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lines += 1;
    if ((chunks += 1) % 50 === 0) mostMib = Math.max(mostMib, residentMib());
  }
  return { lines, mostMib };
}

it(`I5: ${EVENTS} events of one organization are streamed, compared and verified in constant memory`, async () => {
  await until(async () => (await charter.json('projections', 'status')).answer[0].lagEvents === 0, 600_000);
  const before = residentMib();
  const first = await streamed();
  const again = await streamed();
  expect([first.lines, again.lines]).toEqual([EVENTS, EVENTS]);
  expect(first.mostMib - before).toBeLessThan(MEMORY_MIB);
  // the second run needs hardly more memory, so the first run has released its memory
  expect(again.mostMib - first.mostMib).toBeLessThan(MEMORY_MIB / 4);
  for (const rest of ['/verify', `/diff?from=0&to=${EVENTS - 1}`, `?asOf=${EVENTS - 1}`]) {
    const began = performance.now();
    const { status, text, body } = await send(`${server.url}/api/v1/organizations/${id}${rest}`, 'GET', { key });
    process.stdout.write(`${rest}: ${Math.round(performance.now() - began)} ms, ${Math.round(residentMib())} MiB\n`);
    expect([rest, status, text.length < 100_000]).toEqual([rest, 200, true]);
    if (rest === '/verify') expect(body).toMatchObject({ ok: true, events: EVENTS, readModel: { ok: true } });
    expect(residentMib() - before).toBeLessThan(MEMORY_MIB);
  }
  process.stdout.write(
    `${EVENTS} events: ${Math.round(before)} MiB before, ${Math.round(again.mostMib)} MiB at most while streaming\n`,
  );
});
