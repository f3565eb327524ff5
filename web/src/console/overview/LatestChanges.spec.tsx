import type { Entitlements } from '@charter/client';
import { act, screen, waitFor, within } from '@testing-library/react';
import { answering, NORTHWIND, people } from '../../../../test/journeys/pages/samples';
import { TimeBarPlace } from '../moment/bar/TimeBarPlace';
import { openOrganization } from '../organization/open-organization.testing';
import { timeAgo } from './time-ago';

const asMember = {
  status: 200,
  data: { organization: NORTHWIND, roles: ['member'], may: [], reads: ['document'], grants: [] },
};
const latest = async () => within(await screen.findByRole('region', { name: 'Latest changes' }));
const changes = async () => {
  const region = await latest();
  await region.findAllByText(/Ben Okafor/);
  return region.getAllByRole('listitem').map((row) => row.textContent.replaceAll(/[\u2068\u2069]/g, ''));
};
const signedAt = (ago: number, events: number) => ({
  status: 200,
  data: {
    ...{ organization: NORTHWIND, first: { revision: 0, at: '2019-03-04T09:00:00.000Z' } },
    ...{ last: { revision: 1283, at: '2026-11-21T09:00:00.000Z' }, bins: [], marks: [], marksInAll: 0, over: [] },
    ...{ overInAll: 0, signed: { at: new Date(Date.now() - ago).toISOString(), events } },
  },
});

describe('The latest changes on the overview', () => {
  it('are the last five events except traffic reports, each as a sentence with its number and actor', async () => {
    const { sent } = await openOrganization('/overview');
    const rows = await changes();
    expect(rows).toHaveLength(5);
    expect(rows[0]).toBe('Ben Okafor removed#1,283 · Nov 21, 2026, 9:00:00 AM UTC · Ada Jansen');
    expect(rows.join(' ')).not.toMatch(/views/);
    const [request] = sent.filter(({ url }) => url.endsWith('/events'));
    expect(request!.params).toEqual({ to: '1283', 'not-type': 'TrafficReported', order: 'newest', limit: '5' });
    expect(sent.filter(({ url }) => url.endsWith('/members'))).toEqual([]);
  });

  it('end at the moment of the page, and their links keep this moment', async () => {
    await openOrganization('/overview?asOf=1191');
    const rows = await changes();
    expect(rows[0]).toMatch(/#1,191/);
    const [first] = (await latest()).getAllByRole('link');
    expect(first!.getAttribute('href')).toMatch(/\/history\/1191\?asOf=1191$/);
  });

  it('say up to which event the history is signed, and link to the proof', async () => {
    const hours = 3 * 3_600_000;
    await openOrganization('/overview', ({ url }) => (url.endsWith('/timeline') ? signedAt(hours, 1281) : undefined));
    const region = await latest();
    expect(await region.findByText(/^Signed 3 hours ago up to #1,280; 3 events since\./)).toBeVisible();
    expect(region.getByRole('link', { name: 'Proof' }).getAttribute('href')).toMatch(/\/proof$/);
  });

  it('are absent for a member without the right to read the history', async () => {
    const { sent } = await openOrganization('/overview', ({ url }) =>
      url.endsWith('/standing') ? asMember : undefined,
    );
    await screen.findByText('Matomo integration');
    expect(screen.queryByRole('region', { name: 'Latest changes' })).toBeNull();
    expect(sent.filter(({ url }) => /events|timeline|names/.test(url))).toEqual([]);
  });

  it('appear only after the person presses a button, if they were recorded while the person reads the page', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    let revision = 1283;
    const path = `/api/v1/organizations/${NORTHWIND}/entitlements`;
    const usual = answering(people.ada)({ method: 'GET', path, body: undefined, xsrf: '' }) as { body: Entitlements };
    const { sent } = await openOrganization(
      '/overview',
      ({ url }) => (url.endsWith('/entitlements') ? { status: 200, data: { ...usual.body, revision } } : undefined),
      <TimeBarPlace id={NORTHWIND} onScrub={() => undefined} />,
    );
    const before = await changes();
    revision += 2;
    await act(() => jest.advanceTimersByTimeAsync(15_000));
    const button = await screen.findByRole('button', { name: '2 new events ↑' });
    expect(await changes()).toEqual(before);
    act(() => button.click());
    expect(screen.queryByRole('button', { name: '2 new events ↑' })).toBeNull();
    await waitFor(() =>
      expect(sent.filter(({ url }) => url.endsWith('/events')).map(({ params }) => params['to'])).toEqual([
        '1283',
        '1285',
      ]),
    );
  });

  afterEach(() => jest.useRealTimers());
});

describe('The time since a moment', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  it.each([
    ['2026-11-21T12:00:30.000Z', '0 minutes ago'],
    ['2026-11-21T11:01:00.000Z', '59 minutes ago'],
    ['2026-11-21T09:30:00.000Z', '2 hours ago'],
    ['2026-11-18T11:00:00.000Z', '3 days ago'],
  ])('of %s is "%s"', (moment, words) => expect(timeAgo(moment, now, 'en')).toBe(words));
});
