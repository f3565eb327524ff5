import { randomUUID } from 'node:crypto';
import { type FullOrganization, fullOrganization } from '../../support/requests/full-organization';
import { readingRoutes, requestTo } from '../../support/requests/reading-routes';
import { expectProblem, expectUnharmed } from '../../support/requests/refusals';
import type { Route } from '../../support/requests/routes';
import { type Served, serving } from '../../support/serving';
import { type Browser, person, signedIn } from '../../support/sign-in/people';

let served: Served;
let key: string;
let here: FullOrganization;
let auditor: Browser;
beforeAll(async () => {
  served = await serving();
  key = await served.key();
  here = await fullOrganization(served, key);
  auditor = await signedIn(served, await person(served, { role: 'auditor' }));
});
afterAll(() => served.close());

/** The answer to the auditor's valid request to a route, with another query or with further headers. */
function ask(route: Route, { query, ...sent }: { query?: string; headers?: Record<string, string>; id?: string } = {}) {
  const { method, path: own, body } = requestTo(route, { ...here, ...(sent.id && { id: sent.id }) });
  const [at = '', given = ''] = own.split('?');
  const name = query?.split('=')[0];
  const kept = given.split('&').filter((one) => one !== '' && one.split('=')[0] !== name);
  const all = [...kept, ...(query === undefined ? [] : [query])].join('&');
  const headers = { Accept: 'application/json', ...sent.headers };
  return auditor.send(method, all === '' ? at : `${at}?${all}`, body, { headers });
}

const long = 'x'.repeat(10_000);
/** Names that no route has as a parameter. */
const unknownNames = [
  'foo',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'a[b]',
  'asOf[$gt]',
  'asOf[]',
  '%00',
  '%ff',
  long,
];
/** Values that are wrong for each parameter of each route. A route without the parameter refuses its name. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  asOf: [
    '',
    '-1',
    '1e400',
    '%00',
    '2026-02-30T00:00:00Z',
    '2026-02-01',
    '%2B010000-01-01T00:00:00Z',
    'now',
    '9007199254740993',
    long,
  ],
  valid: ['', 'x', '0', '%00', '2026-02-30T00:00:00Z', '%2B010000-01-01T00:00:00Z', long],
  atLeast: ['', 'x', '-1', '1e3', long],
  from: ['', '-1', '1.5', '0x1', '%20%201', '%00', '2026-02-30', '9007199254740993', long],
  to: ['', '-1', 'x', '%00', long],
  limit: ['', '0', '-1', '1e3', '101', '99999999999', '%00', long],
  cursor: ['', '%00', 'e30', long, Buffer.from('["newest",-1]').toString('base64url')],
  path: [
    '/',
    'members',
    '%00',
    '/__proto__',
    '/members/__proto__',
    '/constructor',
    '/limits/toString',
    '/members~2',
    long,
    `/${long}`,
  ],
  about: ['', '/', '%00', '/__proto__', '/constructor', long, `/members/${long}`],
  axis: ['', 'place', '__proto__'],
  bins: ['', '0', '481', '1e2', '%00', long],
  only: ['', ',', '__proto__', 'constructor', long],
  base: ['', 'maybe'],
  type: ['', 'Nothing', '__proto__', 'MemberAdded,', long],
  'not-type': ['', '%00', 'toString'],
  actor: ['', '%00', '%C3%A9', long],
  correlation: ['', '%E2%80%AE', long],
  order: ['', 'up', '__proto__'],
  fold: ['', 'all'],
  role: ['', 'emperor', '__proto__'],
  state: ['', '%00', 'constructor'],
  sort: ['', '__proto__', '-role'],
  q: ['%00', long],
};
const doubled = ['asOf=0', 'from=0', 'limit=5', 'path=/name', 'bins=3', 'base=true', 'about=/members', 'order=newest'];

describe('Hostile query of a route that reads one organization', () => {
  it.each(readingRoutes)(
    'is refused with the name of each wrong parameter, and the answer is short: %s',
    async (route) => {
      const queries = [
        ...unknownNames.map((name) => `${name}=1`),
        ...Object.entries(wrong).flatMap(([name, values]) => values.map((value) => `${name}=${value}`)),
        ...doubled.map((one) => `${one}&${one}`),
      ];
      for (const query of queries) {
        const answer = await ask(route, { query });
        const what = query.slice(0, 60);
        expect([what, answer.status]).toEqual([what, 400]);
        expectProblem(answer);
        const names = (answer.body['errors'] as { path: string }[]).map((one) => one.path.split('.')[0]!);
        const name = decoded(query.split('=')[0]!);
        expect([what, names.every((one) => one.slice(0, 100) === name.slice(0, 100))]).toEqual([what, true]);
        expect(answer.text.length).toBeLessThan(5_000);
        expect(answer.text).not.toMatch(/node_modules|at Object\.|ZodError|Acme/);
      }
    },
  );

  it.each(readingRoutes)(
    'with a revision after the last event, or a moment before the founding, gets a sentence: %s',
    async (route) => {
      for (const query of ['asOf=999999', 'asOf=0001-01-01T00:00:00Z', 'from=999999', 'valid=0001-01-01T00:00:00Z']) {
        const answer = await ask(route, { query });
        expect([query, [200, 400, 404].includes(answer.status)]).toEqual([query, true]);
        if (answer.status !== 200) expectProblem(answer);
      }
    },
  );
});

const decoded = (name: string) => (name === '%ff' ? '\ufffd' : decodeURIComponent(name));

describe('Hostile header of a request to a route that reads one organization', () => {
  it.each(readingRoutes)(
    'never leads to an answer without content, unless the answer has an ETag: %s',
    async (route) => {
      for (const known of ['*', '"x', ',,', 'W/', long.slice(0, 8_000)]) {
        const answer = await ask(route, { headers: { 'If-None-Match': known } });
        const isTagged = answer.headers.etag !== undefined;
        expect([known.slice(0, 9), answer.status]).toEqual([known.slice(0, 9), isTagged && known === '*' ? 304 : 200]);
      }
    },
  );

  it.each(readingRoutes)('such as a broken Accept or Range does not change the answer: %s', async (route) => {
    const plain = await ask(route);
    for (const headers of [
      { Accept: ',;q=9,,' },
      { Accept: '*/*;q=0' },
      { Accept: 'text/html' },
      { Accept: long.slice(0, 8_000) },
      { Range: 'bytes=0-1' },
      { 'Last-Event-ID': 'x' },
      { 'If-Match': '"99"' },
    ] as Record<string, string>[]) {
      const { status, headers: received } = await ask(route, { headers });
      expect([headers, status, received['content-type']]).toEqual([headers, 200, plain.headers['content-type']]);
    }
  });
});

describe('Organization of another caller', () => {
  it.each(readingRoutes)('is as unknown as an organization that does not exist: %s', async (route) => {
    const stranger = await served.key({ organization: randomUUID() });
    const { method, path: at, body } = requestTo(route, here);
    const nowhere = randomUUID();
    const answers = [at, at.replace(here.id, nowhere)].map((one) => served.ask(method, one, { key: stranger, body }));
    const [foreign, absent] = await Promise.all(answers);
    expect(foreign!.status).toBe(absent!.status);
    expect([403, 404]).toContain(foreign!.status); // 403: no key may use the route
    expect({ ...foreign!.body, instance: '' }).toEqual({ ...absent!.body, instance: '' });
  });
});

it('HEAD has the headers of GET and no body; OPTIONS and unknown methods get 405 with the allowed methods', async () => {
  for (const route of readingRoutes.filter((one) => one.startsWith('GET'))) {
    const { path: at } = requestTo(route, here);
    const [get, head] = [await ask(route), await auditor.send('HEAD', at)];
    expect([route, head.status, head.text, head.headers.etag]).toEqual([route, 200, '', get.headers.etag]);
    for (const method of ['OPTIONS', 'PROPFIND', 'TRACE']) {
      const answer = await served.ask(method, at, { key });
      expectProblem(answer);
      expect([route, answer.status, answer.headers.allow]).toEqual([route, 405, expect.stringContaining('GET')]);
    }
  }
  await expectUnharmed(served, key);
});
