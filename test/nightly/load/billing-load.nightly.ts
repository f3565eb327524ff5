import { setTimeout as pause } from 'node:timers/promises';
import { CommandLine } from '../../cli/command-line';
import { type Running, started } from '../../crash/server';
import { clockFrom, eventsOf } from '../../support/serving';
import { PASSWORD, person } from '../../support/sign-in/people';
import { times } from '../length';
import { quantile } from '../timing/mann-whitney';

const charter = new CommandLine();
const ADA = 'ada@load.example';
let server: Running;
let key: string;
const organizations: string[] = [];

beforeAll(async () => {
  const scopes = 'organizations:operate,billing:write';
  key = (await charter.json('keys', 'create', '--name', 'load', '--scopes', scopes)).answer.key;
  await charter.inside((inside) => person({ charter: inside, clock: clockFrom() }, { email: ADA }));
  server = await started(charter, { RATE_LIMITS: 'off' });
  for (let count = 0; count < 100; count += 1) {
    const founded = await post('/api/v1/organizations', { name: `Organization ${count}` });
    organizations.push(((await founded.json()) as { id: string }).id);
  }
}, 120_000);
afterAll(async () => {
  await server.kill();
  charter.remove();
});

const post = (path: string, body: object) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });

/** A message about a new purchase, so that each message causes one event. */
const news = (n: number) => ({
  ...{ specversion: '1.0', id: `message-${n}`, source: '/load', type: 'charter.add-on.purchased' },
  ...{ subject: organizations[n % organizations.length], time: new Date().toISOString() },
  data: { purchase: `purchase-${n}`, addOn: 'additionalUser', quantity: 1 },
});

/** Delivers a message as a provider does: sends the same message again until the answer is 2xx. */
async function delivered(message: object, until: number): Promise<'at once' | 'again' | 'never'> {
  for (let tries = 1; performance.now() < until; tries += 1) {
    const answer = await post('/api/v1/billing/events', message).catch(() => undefined);
    const results = answer?.ok ? ((await answer.json()) as { results: { outcome: string }[] }).results : undefined;
    if (results) return tries === 1 ? 'at once' : 'again';
    if (answer) expect([429, 503]).toContain(answer.status);
    await answer?.body?.cancel();
    await pause(Math.min(10_000, 500 * 2 ** tries) * (0.5 + Math.random()));
  }
  return 'never';
}

/** A refused sign-in counts as an hour, because a quick refusal signs no person in. */
const REFUSED_MS = 3_600_000;

/** The milliseconds in which a person signs in with the right password. */
async function signInTook(): Promise<number> {
  const page = await fetch(`${server.url}/`);
  await page.text();
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))!.slice('XSRF-TOKEN='.length);
  const headers = { Cookie: cookies.join('; '), 'X-XSRF-TOKEN': decodeURIComponent(token), Origin: server.url };
  const begun = performance.now();
  const answer = await fetch(`${server.url}/login`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: ADA, password: PASSWORD }),
  });
  await answer.text();
  if (!answer.ok) expect(answer.status).toBe(503);
  return answer.ok ? performance.now() - begun : REFUSED_MS;
}

/** Signs in `count` times. Resolves with the 95th percentile of the durations, and the number of refused sign-ins. */
async function signIns(count: number): Promise<Readonly<{ p95: number; refused: number }>> {
  const took: number[] = [];
  for (let turn = 0; turn < count; turn += 1) took.push(await signInTook());
  return { p95: quantile(took, 0.95), refused: took.filter((ms) => ms === REFUSED_MS).length };
}

it(
  'K11: During a flood of billing messages people can sign in, and Charter finally applies every message',
  async () => {
    const [rate, seconds] = [times(200, 1_000), times(5, 60)];
    const idle = await signIns(times(20, 100));
    const begun = performance.now();
    const giveUpAt = begun + seconds * 1_000 + times(60_000, 600_000);
    const deliveries: Promise<string>[] = [];
    const flood = (async () => {
      while (deliveries.length < rate * seconds) {
        const due = Math.min(rate * seconds, Math.ceil(((performance.now() - begun) / 1_000) * rate));
        while (deliveries.length < due) deliveries.push(delivered(news(deliveries.length), giveUpAt));
        await pause(5);
      }
    })();
    await pause(500);
    const beside = await signIns(times(10, 100));
    await flood;
    const outcomes = Map.groupBy(await Promise.all(deliveries), (outcome) => outcome);
    const figures = [...outcomes].map(([outcome, { length }]) => `${length} ${outcome}`).join(', ');
    const took = ((performance.now() - begun) / 1_000).toFixed(1);
    process.stdout.write(
      `K11: ${rate * seconds} messages: ${figures}; all after ${took} s; sign-in p95 ${idle.p95.toFixed(0)} -> ${beside.p95.toFixed(0)} ms, refused ${idle.refused} -> ${beside.refused}\n`,
    );
    expect(outcomes.get('never')).toBeUndefined();
    expect(idle.refused).toBe(0);
    expect(beside.p95).toBeLessThan(idle.p95 * times(20, 2)); // the short run (without LONG=1) allows ten times as much

    const purchases = await charter.inside(async (inside) => {
      expect((await inside.database.inbox.countOpen()).received).toBe(0);
      const events = await eventsOf({ charter: inside }, 'organization-');
      return events
        .filter(({ type }) => type === 'AddOnPurchased')
        .map(({ data }) => (data as { purchase: string }).purchase);
    });
    expect(purchases).toHaveLength(rate * seconds);
    expect(new Set(purchases).size).toBe(rate * seconds);
  },
  times(180_000, 1_200_000),
);
