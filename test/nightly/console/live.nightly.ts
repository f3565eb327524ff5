import { randomUUID } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { eventually } from '../../journeys/browser/eventually';
import { call } from '../../journeys/browser/page-actions';
import { staged } from '../../journeys/browser/stage';
import { founding, member, plan, record, site } from '../../journeys/recorded';
import { atRest, expectStop, PASSWORD, pressed, seen, signedIn } from '../../journeys/browser/stops';

const stage = staged();
const [OLGA, MIA] = ['olga@quay.example', 'mia@quay.example'];
const quay = randomUUID();

beforeAll(async () => {
  const { charter, settle } = stage.service;
  const [olga, mia] = await Promise.all([
    settle({ email: OLGA, name: 'Olga Owner', password: PASSWORD }),
    settle({ email: MIA, name: 'Mia Member', password: PASSWORD }),
  ]);
  await record(charter, quay, [
    founding({ name: 'Quay' }),
    { command: plan('teams') },
    { command: [member(olga, 'owner'), member(mia), site('quay.example')] }, // events #2 to #4
  ]);
}, 60_000);

const addSite = (page: Page, hostname: string) =>
  call(page, 'POST', `/api/v1/organizations/${quay}/sites`, { hostname });
const rows = (page: Page) =>
  page
    .locator('tbody tr')
    .evaluateAll((all) => all.map((row) => [row.textContent, JSON.stringify(row.getBoundingClientRect())]));
const isFeed = (request: Request) => request.headers()['accept'] === 'text/event-stream';
const newEvents = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true });

describe('Live updates', () => {
  it('reach two tabs through one change feed, move no row, and still arrive after the first tab closes', async () => {
    const visit = await signedIn(stage, OLGA, `/org/${quay}/sites`);
    const { page: first, context, requests } = visit;
    const feeds = () => requests.filter(isFeed);
    await first.getByText('live', { exact: true }).waitFor();
    const second = await context.newPage();
    await second.goto(first.url());
    await second.getByText('live', { exact: true }).waitFor();
    await Promise.all([first, second].map(atRest));
    expect(feeds()).toHaveLength(1);
    const before = await Promise.all([first, second].map(rows));
    expect(before.map((all) => all.length)).toEqual([1, 1]);

    expect((await addSite(second, 'second.quay.example')).status).toBe(201);
    for (const page of [first, second]) {
      await newEvents(page, '1 new event ↑').waitFor();
      await seen(page, /^2 of 2/);
      await seen(page, /^Now · #5/);
    }
    expect(await Promise.all([first, second].map(rows))).toEqual(before);
    expect(feeds()).toHaveLength(1);

    await pressed(first, newEvents(first, '1 new event ↑'));
    await eventually(async () => expect(await rows(first)).toHaveLength(2));
    expect(await rows(second)).toEqual(before[1]);
    await expectStop(visit);

    await first.close();
    await eventually(() => expect(feeds()).toHaveLength(2));
    await second.getByText('live', { exact: true }).waitFor();
    expect(feeds()[1]!.headers()['last-event-id']).toBeDefined();
    await record(stage.service.charter, quay, [
      { command: { type: 'RenameOrganization', data: { name: 'New Quay' } } }, // event #6
    ]);
    await newEvents(second, '2 new events ↑').waitFor();
    expect(await rows(second)).toEqual(before[1]);
    await pressed(second, newEvents(second, '2 new events ↑'));
    await eventually(async () => expect(await rows(second)).toHaveLength(2));

    const { body } = await call(second, 'GET', '/api/v1/me/activity?limit=100');
    const reads = (body.events as { type: string; metadata: { at: string } }[]).filter(
      ({ type }) => type === 'HistoryRead',
    );
    const hours = reads.map(({ metadata }) => metadata.at.slice(0, 13));
    expect(hours).toEqual([...new Set(hours)]);
    expect(hours).not.toEqual([]);
  });

  it('reach the page of a member, who may not read the feed, because the page asks the service every 15 seconds', async () => {
    const visit = await signedIn(stage, MIA, `/org/${quay}/members`);
    const { page, requests } = visit;
    await seen(page, 'checks every 15 s');
    await atRest(page);
    const before = await rows(page);
    await record(stage.service.charter, quay, [{ command: member() }]);
    await newEvents(page, '1 new event ↑').waitFor({ timeout: 40_000 });
    expect(await rows(page)).toEqual(before);
    await pressed(page, newEvents(page, '1 new event ↑'));
    await eventually(async () => expect(await rows(page)).toHaveLength(before.length + 1));
    expect(requests.filter(isFeed)).toEqual([]);
    await expectStop(visit);
  });
});
