import { floodOf, otherPeople } from '../../support/network/flood';
import { type Served, serving } from '../../support/serving';
import { quantile } from '../timing/mann-whitney';
import { clientOf } from '../timing/timing';

const SECONDS = 30;

let served: Served;
beforeAll(async () => {
  served = await serving({ environment: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(() => served.close());

it(`B15: During ${SECONDS} s of a flood of POST /forgot, other people still get their mails, and /health/live answers 99 % of its requests within 250 ms`, async () => {
  const others = await otherPeople(served, 60);
  const client = clientOf(served.url);
  const flood = await floodOf(served);
  const end = performance.now() + SECONDS * 1_000;
  const polled: number[] = [];
  const polling = (async () => {
    while (performance.now() < end) polled.push(await client.took({ method: 'GET', path: '/health/live' }, 200));
  })();
  for (let index = 0; index < others.count; index += 1) await others.act(index);
  await polling;
  const answered = flood.answered();
  await flood.stop();
  await client.close();
  const p99 = quantile(polled, 0.99);
  process.stderr.write(`Flood: ${answered} answers, ${polled.length} polls, p99 ${p99.toFixed(1)} ms\n`);
  await others.expectServed();
  expect(p99).toBeLessThanOrEqual(250);
  expect(answered).toBeGreaterThan(1_000);
});
