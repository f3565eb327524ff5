import { createReadsProjector } from '@charter/application';
import type { Answer } from '../support/requests/http';
import { type FullOrganization, fullOrganization } from '../support/requests/full-organization';
import { historyRoutes, readingRoutes, requestTo } from '../support/requests/reading-routes';
import type { Route } from '../support/requests/routes';
import { done, path } from '../support/requests/organizations';
import { paused, resumed, type Served, serving, settled } from '../support/serving';
import { type Browser, PASSWORD, person, signedIn } from '../support/sign-in/people';
import { onTables } from '../support/stores/tables';

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

/** The answer that the auditor gets from a route. @throws if the service refuses the request */
async function answerOf(route: Route): Promise<Answer> {
  await createReadsProjector(served.charter).catchUp(); // the process itself would project the reads later
  const { method, path: at, body } = requestTo(route, here);
  const answer = await auditor.send(method, at, body);
  if (answer.status !== 200) throw new Error(`${route} answered ${answer.text}`);
  return answer;
}

/** The part of an answer that depends only on the events, not on the read model or the moment of the request. */
function contentOf(route: Route, { body, text }: Answer): unknown {
  const lines = text.split('\n');
  if (route.endsWith('/export')) return lines.slice(0, -2); // the last line contains a note with a new time
  if (route.endsWith('/checkpoint')) return lines.slice(0, 3); // the name, the number of events and their hash
  const content: Record<string, unknown> = { ...withoutLaterMoments(body), parked: undefined };
  if (!route.endsWith('/verify')) return content;
  const { events, head, signed } = content; // `ok` is also about the read model
  return { events, head, signed };
}
/** The moment of the last write. An answer may contain a later moment only because of the moment of its request. */
let written = '';
const withoutLaterMoments = (body: object) =>
  JSON.parse(JSON.stringify(body).replaceAll(MOMENT, (at) => (at >= written ? 'later' : at))) as Record<
    string,
    unknown
  >;
const MOMENT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

const contents = async () => {
  const all = new Map<Route, unknown>();
  for (const route of readingRoutes) all.set(route, contentOf(route, await answerOf(route)));
  return all;
};

describe('The table of routes that read one organization', () => {
  it('contains the routes about the history, about lists and about previews, and no route that writes', () => {
    expect(historyRoutes.length).toBeGreaterThanOrEqual(11);
    for (const name of ['steps', 'changes', 'timeline', 'names', 'checkpoint', 'verify', 'readers'])
      expect(historyRoutes.map((route) => route.split('/').at(-1))).toContain(name);
    expect(readingRoutes).toContain('POST /api/v1/organizations/:id/members/search');
    expect(readingRoutes.filter((route) => /commands|PUT|DELETE|PATCH|checkout/.test(route))).toEqual([]);
  });
});

describe('While the stream of an organization is parked, and its document in the read model is wrong,', () => {
  let before: ReadonlyMap<Route, unknown>;
  const stream = () => `organization-${here.id}`;
  beforeAll(async () => {
    await answerOf('GET /api/v1/organizations/:id/events'); // the list of readers contains this read
    await settled(served);
    written = new Date().toISOString();
    before = await contents();
    for (const [good, bad] of [
      ['Acme', 'Old'],
      ['shop.example', 'old.example'],
      ['"role":"owner"', '"role":"member"'],
    ])
      await onTables(
        served,
        `update documents set state = replace(state, '${good}', '${bad}') where stream = '${stream()}'`,
      );
    // with a query Nest answers, and reads the stored document instead of an answer that the process has printed
    const wrong = await auditor.send('GET', `/api/v1/organizations/${here.id}?atLeast=0`);
    expect(wrong.text).toContain('old.example');
    await onTables(
      served,
      `insert into parked (view, edition, stream, revision, error, attempts, since, released)
       select view, edition, stream, 1, 'a spec', 4, at, 0 from documents where stream = '${stream()}'`,
    );
  });
  afterAll(async () => {
    await onTables(served, `delete from parked where stream = '${stream()}'`);
    await onTables(served, `update documents set state = replace(state, 'Old', 'Acme') where stream = '${stream()}'`);
  });

  it.each(readingRoutes)('the answer comes from the events: %s', async (route) => {
    expect(contentOf(route, await answerOf(route))).toEqual(before.get(route));
  });

  it('a verification finds the chain valid, and reports that the stream is parked', async () => {
    const { body } = await answerOf('GET /api/v1/organizations/:id/verify');
    expect(body).toMatchObject({ ok: false, readModel: { ok: false, reason: 'it is parked at revision 1: a spec' } });
  });
});

describe('While the read model lags behind the events of an organization,', () => {
  let late: ReadonlyMap<Route, Answer>;
  beforeAll(async () => {
    here = await fullOrganization(served, key);
    await answerOf('GET /api/v1/organizations/:id/events');
    await settled(served);
    await paused(served);
    await done(served, key, here.id, ['PATCH', '', { name: 'Acme Oy' }]);
    written = new Date().toISOString();
    const answers = new Map<Route, Answer>();
    for (const route of readingRoutes) answers.set(route, await answerOf(route));
    late = answers;
    await resumed(served);
    await settled(served);
  });

  it.each(readingRoutes)(
    'the answer contains the last acknowledged event, and its headers contain the lag: %s',
    async (route) => {
      const answer = late.get(route)!;
      expect(contentOf(route, answer)).toEqual(contentOf(route, await answerOf(route)));
      expect(answer.headers['charter-lag']).toMatch(/^\d+(\.\d+)?$/);
    },
  );
});

describe('After the erasure of a person who was a member and changed the organization,', () => {
  beforeAll(async () => {
    const account = await person(served, { name: 'Zelda Quist', email: 'zelda.quist@people.example' });
    const zelda = await signedIn(served, account);
    here = { ...(await fullOrganization(served, key)), owner: account.id };
    await done(served, key, here.id, ['POST', '/members', { user: account.id, role: 'owner' }]);
    expect((await zelda.send('POST', `/api/v1/me/organizations/${here.id}/accept`)).status).toBe(204);
    expect((await zelda.send('PATCH', path(here.id), { name: 'Quiet' })).status).toBe(200);
    expect((await zelda.get(path(here.id, '/events'))).status).toBe(200);
    for (const route of ['POST /api/v1/organizations/:id/names', 'GET /api/v1/organizations/:id/readers'] as const)
      expect((await answerOf(route)).text).toContain('Zelda Quist');
    expect((await zelda.send('POST', '/api/v1/me/close', { password: PASSWORD })).status).toBe(200);
  });

  it.each(readingRoutes)('the answer contains neither the name nor the address of the person: %s', async (route) => {
    expect((await answerOf(route)).text).not.toMatch(/zelda|quist/i);
  });

  it.each(historyRoutes)('the answer is also 200 if the organization is closed: %s', async (route) => {
    const close = { key, body: { reason: 'moved' } };
    expect((await served.ask('POST', path(here.id, '/close'), close)).status).toBeLessThan(500);
    expect((await answerOf('GET /api/v1/organizations/:id')).body).toMatchObject({ closed: true });
    expect((await answerOf(route)).text).not.toMatch(/zelda|quist/i);
  });
});
