import { randomUUID } from 'node:crypto';
import type { Chance } from '../history/files/tampering';
import type { Answer, Sent } from '../support/requests/http';
import { done, founded, path } from '../support/requests/organizations';
import type { Served } from '../support/serving';
import { protocolIssues } from '../support/requests/ofrep-protocol';

const FLAGS = '/ofrep/v1/evaluate/flags';
const FLAG_NAMES = [
  'feedback',
  'limit.users',
  'remaining.users',
  'plan.first',
  'site.logo',
  'role',
  'nothing',
  'toString',
];
const TEXTS = ['', ' ', 'x', '\0', '\u202e', "'; drop table", '../..', '%2e%2e', '__proto__', 'x'.repeat(3_000), 'ä😀'];

/** A service of one or more processes. `ask` sends a request to any process. */
type FlagService = Pick<Served, 'ask' | 'key' | 'clock'> & Readonly<{ processes?: readonly Pick<Served, 'ask'>[] }>;

/** Waits until every process evaluates the flags of this revision or a later one. */
async function untilEvaluated(served: FlagService, key: string, targetingKey: string, revision: number): Promise<void> {
  for (const { ask } of served.processes ?? [served]) {
    const answer = await ask('POST', `${FLAGS}?flagConfigEtag=r${revision}`, {
      key,
      body: { context: { targetingKey } },
    });
    if (answer.status !== 200) throw new Error(answer.text);
  }
}

/** Organizations with sites and members, the API keys that may evaluate their flags, and other keys. */
type RandomWorld = Readonly<{
  subjects: readonly string[];
  organizations: readonly string[];
  keys: readonly string[];
  all: string;
}>;

async function randomWorld(served: FlagService, count = 4): Promise<RandomWorld> {
  const all = await served.key();
  const organizations: string[] = [];
  const subjects: string[] = [];
  for (let made = 0; made < count; made += 1) {
    const [owner, site] = [randomUUID(), randomUUID()];
    const id = await founded(served, { by: all, owner });
    await done(served, all, id, [
      'POST',
      '/commands',
      { commands: [{ type: 'AddSite', data: { site, hostname: 'a.example' } }] },
    ]);
    await untilEvaluated(served, all, id, 2);
    organizations.push(id);
    subjects.push(id, `${id}/sites/${site}`, `${id}/users/${owner}`);
  }
  const keys = [all, await served.key({ scopes: ['flags:read'] })];
  return { subjects, organizations, keys, all };
}

/** Sends requests with random contexts, API keys, methods, headers and bodies. Checks each answer by the protocol. */
export async function askAtRandom(
  served: FlagService,
  times: number,
  chance: Chance,
): Promise<ReadonlyMap<number, number>> {
  const { subjects, organizations, keys } = await randomWorld(served);
  const bound = await served.key({ scopes: ['flags:read'], organization: organizations[0]! });
  const reader = await served.key({ scopes: ['organizations:read'] });
  const one = <Thing>(of: readonly Thing[]): Thing => of[chance(of.length)]!;
  const often = <Thing>(usual: () => Thing, odd: () => Thing) => (chance(5) > 0 ? usual() : odd());
  const strange = () => one<unknown>([null, true, -1, 2 ** 53, [], {}, [[]], ...TEXTS]);
  const targetingKey = () =>
    often<unknown>(
      () => (chance(4) > 0 ? one(subjects) : one(subjects).toUpperCase()),
      () => one([strange(), randomUUID(), `${one(organizations)}/users/${randomUUID()}`, `${one(subjects)}/x`]),
    );
  const context = () => ({
    ...(chance(12) > 0 && { targetingKey: targetingKey() }),
    ...(chance(8) === 0 && {
      asOf: one<unknown>(['0', '1', '99', 'x', 3, '2001-01-01T00:00:00Z', '2999-01-01T00:00:00Z']),
    }),
    ...(chance(3) === 0 && { [one(['plan', 'email', 'kind', 'constructor', ''])]: strange() }),
  });
  const body = () =>
    often<unknown>(
      () => ({ context: context() }),
      () =>
        one([
          undefined,
          '',
          '{',
          '[]',
          'null',
          '"x"',
          {},
          { context: strange() },
          Buffer.from([0xff, 0xfe]),
          '{"a":1,"a":2}',
        ]),
    );
  const headers = (): Record<string, string> => ({
    ...(chance(4) === 0 && { 'If-None-Match': one(['*', '"0"', '"a.1", W/"b.2"', '']) }),
    ...(chance(8) === 0 && { 'X-API-Key': one([...keys, 'chk_wrong']) }),
    ...(chance(12) === 0 && { 'Content-Type': one(['text/plain', 'application/json; charset=latin1', '']) }),
    ...(chance(20) === 0 && { 'Content-Encoding': one(['gzip', 'identity']) }),
    ...(chance(20) === 0 && { 'Idempotency-Key': one(['k', 'k k']) }),
    ...(chance(20) === 0 && { Cookie: 'charter_session=x', Origin: 'https://evil.example' }),
  });
  const statuses = new Map<number, number>();
  for (let time = 0; time < times; time += 1) {
    const route = one(['one', 'all'] as const);
    const name = often(
      () => one(FLAG_NAMES),
      () => encodeURIComponent(one(TEXTS).toWellFormed()) || 'x',
    );
    const query = often(
      () => '',
      () => `?flagConfigEtag=${encodeURIComponent(one(['r0', '"r1"', 'x', 'r']))}`,
    );
    const method = chance(25) > 0 ? 'POST' : one(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']);
    const path = `${FLAGS}${route === 'one' ? `/${name}` : ''}${query}`;
    const key = one([...keys, ...keys, bound, reader, undefined, 'chk_wrong', 'flt_x']);
    const sent: Sent = { key, headers: headers(), ...(method === 'POST' && { body: body() }) };
    const answer = await served.ask(method, path, sent);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (method === 'HEAD' || (method === 'OPTIONS' && answer.status < 300)) continue;
    const issues = answer.status >= 500 ? ['No request may cause this status.'] : protocolIssues(route, answer);
    if (issues.length > 0)
      throw new Error(
        `${method} ${path} ${JSON.stringify(sent)} answered ${answer.status}: ${answer.text}\n${issues.join('; ')}`,
      );
  }
  return statuses;
}

/**
 * Sends pairs of evaluations: the second has another context and the ETag of the first. Checks that no answer is 304
 * unless the client already has exactly this answer. Between the pairs, organizations change.
 */
export async function askWithOldTags(
  served: FlagService,
  pairs: number,
  chance: Chance,
): Promise<ReadonlyMap<number, number>> {
  const { subjects, organizations, keys, all } = await randomWorld(served);
  const one = <Thing>(of: readonly Thing[]): Thing => of[chance(of.length)]!;
  const ask = (key: string, targetingKey: string, headers = {}) =>
    served.ask('POST', FLAGS, { key, headers, body: { context: { targetingKey, plan: chance(3) } } });
  const known = new Map<string, string>(); // the flags and the event stream of each ETag
  const contentOf = ({ body: { flags, eventStreams } }: Answer) => JSON.stringify([flags, eventStreams]);
  const statuses = new Map<number, number>();
  for (let pair = 0; pair < pairs; pair += 1) {
    if (chance(20) === 0) await changed(served, all, one(organizations), chance);
    if (chance(500) === 0) served.clock.advance(10 * 60_000);
    const first = await ask(one(keys), one(subjects));
    known.set(first.headers.etag!, contentOf(first));
    const old = chance(2) === 0 ? first.headers.etag! : one([...known.keys()].slice(-50));
    const [key, subject] = [one(keys), one(subjects)];
    const second = await ask(key, subject, { 'If-None-Match': old });
    statuses.set(second.status, (statuses.get(second.status) ?? 0) + 1);
    if (second.status === 304) expect([subject, contentOf(await ask(key, subject))]).toEqual([subject, known.get(old)]);
    else expect([second.status, second.headers.etag === old]).toEqual([200, false]);
  }
  return statuses;
}

/** Changes an organization: some of the changes change no flag. */
async function changed(served: FlagService, by: string, id: string, chance: Chance): Promise<void> {
  const changes = [
    ['PATCH', '', { name: `Name ${chance(100)}` }],
    ['PUT', '/plan', { line: 'second', plan: chance(2) === 0 ? 'solo' : 'teams' }],
    ['POST', '/traffic', { month: '2026-01', views: chance(1_000) }],
    ['PUT', '/product', { enabled: chance(2) === 0 }],
  ] as const;
  const [method, rest, body] = changes[chance(changes.length)]!;
  const answer = await served.ask(method, path(id, rest), { key: by, body });
  await untilEvaluated(served, by, id, answer.body.revision as number);
}
