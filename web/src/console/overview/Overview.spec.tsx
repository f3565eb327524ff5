import type { Catalogue, Entitlements, Limit, OrganizationDocument, Reason } from '@charter/client';
import { type BoundFunctions, type queries, act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { answering, NORTHWIND, people } from '../../../../test/journeys/pages/samples';
import { Features } from './Features';
import { Limits } from './Limits';
import { type SentRequest, renderConsole, saying, type ConsoleReply } from '../open.testing';
import { lastOrganizations } from '../last-organizations';
import { openOrganization } from '../organization/open-organization.testing';
import { Overview } from './Overview';
import { PlanCard } from './PlanCard';

function answer({ method, url, params }: SentRequest): ConsoleReply {
  const { status, body } = answering(people.ada)({
    method,
    path: `${url}?${new URLSearchParams(params).toString()}`,
    body: undefined,
    xsrf: '',
  }) as {
    status: number;
    body: object;
  };
  return { status, data: body };
}

async function opened(but: (request: SentRequest) => ConsoleReply | undefined = () => undefined, search = '') {
  const page = (
    <Routes>
      <Route path="/org/:id/overview" element={<Overview />} />
    </Routes>
  );
  const visit = await renderConsole(page, {
    answer: (request) => but(request) ?? answer(request),
    path: `/org/${NORTHWIND}/overview${search}`,
  });
  await screen.findByText('Matomo integration');
  await screen.findByText('Pulse Teams');
  return visit;
}
const entitlements = answer({
  method: 'GET',
  url: `/api/v1/organizations/${NORTHWIND}/entitlements`,
  params: {},
  body: undefined,
}).data as Entitlements;

const catalogue = answer({ method: 'GET', url: '/api/v1/catalogue', params: {}, body: undefined }).data as Catalogue;

const organization = answer({ method: 'GET', url: `/api/v1/organizations/${NORTHWIND}`, params: {}, body: undefined })
  .data as OrganizationDocument;
const withoutPlan: OrganizationDocument = { ...organization, plans: { first: null, second: null } };

const rowOf = (feature: string) => within(screen.getByRole('row', { name: new RegExp(`^${feature}`) }));

it('The overview shows when the organization was founded, even if no explanation refers to the founding event', async () => {
  const [users] = Object.values(entitlements.limits);
  const limits = Object.fromEntries(Object.keys(entitlements.limits).map((resource) => [resource, users!]));
  await opened(({ url }) =>
    url.endsWith('/entitlements') ? { status: 200, data: { ...entitlements, limits } } : undefined,
  );
  const founded = screen.getByText(/founded/);
  expect(founded).toHaveTextContent('founded Mar 4, 2019');
  expect(within(founded).getByText('Mar 4, 2019')).toHaveAttribute('datetime', '2019-03-04T09:00:00.000Z');
});

it('The overview of a past moment keeps the present name for the list of last visited organizations', async () => {
  localStorage.clear();
  await opened(
    ({ url, params }) =>
      url.endsWith(NORTHWIND) && params['asOf']
        ? { status: 200, data: { ...organization, name: 'Old name' } }
        : undefined,
    '?asOf=1191',
  );
  await screen.findByText(/^Old name/);
  await waitFor(() => expect(lastOrganizations.of('p')).toEqual([{ id: NORTHWIND, name: organization.name }]));
});

describe('The plan on the overview', () => {
  const hrefOf = (name: string) => screen.getByRole('link', { name }).getAttribute('href');

  it('has a link to the form for trying other plans, which keeps the moment of the page', async () => {
    await opened();
    expect(hrefOf('Try other plans')).toBe(`/org/${NORTHWIND}/plan`);
    cleanup();
    await opened(undefined, '?asOf=1191');
    expect(hrefOf('Try other plans')).toBe(`/org/${NORTHWIND}/plan?asOf=1191`);
  });

  it('is missing before the first plan; the page then says that nothing is limited, and links to the form for trying plans', async () => {
    const { limits } = entitlements;
    const unlimited = Object.fromEntries(Object.entries(limits).map(([name, one]) => [name, { ...one, because: [] }]));
    const page = (
      <PlanCard
        id={NORTHWIND}
        organization={withoutPlan}
        entitlements={{ ...entitlements, limits: unlimited as unknown as typeof limits }}
      />
    );
    await renderConsole(page);
    expect(screen.getByText('No plan yet. Without a plan nothing is limited.')).toBeVisible();
    expect(hrefOf('Try plans')).toBe(`/org/${NORTHWIND}/plan`);
  });

  it('has a link “Try other plans”, which moves the focus to the form on the plan page', async () => {
    const { user } = await openOrganization('/overview');
    await user.click(await screen.findByRole('link', { name: 'Try other plans' }));
    const heading = await screen.findByRole('heading', { name: 'Try a change' });
    await waitFor(() => expect(heading).toHaveFocus());
  });
});

describe('Each number of the overview', () => {
  const valuesOf = (name: string) => screen.getByRole('link', { name: `All values (${name})` }).getAttribute('href');
  const eventsIn = (part: Element | null | undefined) =>
    within(part as HTMLElement)
      .getAllByRole('link', { name: /^#/ })
      .map((link) => link.getAttribute('href')!.replace(`/org/${NORTHWIND}`, ''));

  /** Opens the reasons of all values at once, without clicks. */
  const openAllReasons = async () => {
    const all = [...document.querySelectorAll('details')];
    act(() => all.forEach((reasons) => (reasons.open = true)));
    await waitFor(() => expect(all.filter(({ childElementCount }) => childElementCount < 2)).toEqual([]));
  };

  it('has links to the events that caused it, and to all its earlier values', async () => {
    await opened();
    await openAllReasons();
    expect(valuesOf('Users')).toBe(`/org/${NORTHWIND}/changes?path=%2Flimits%2Fusers`);
    expect(valuesOf('Matomo integration')).toBe(`/org/${NORTHWIND}/changes?path=%2Ffeatures%2FmatomoIntegration`);
    expect(valuesOf('Traffic')).toBe(`/org/${NORTHWIND}/changes?path=%2Ftraffic`);
    expect(valuesOf('Pulse Teams')).toBe(`/org/${NORTHWIND}/changes?path=%2Fplans%2Fsecond`);
    expect(valuesOf('User')).toBe(`/org/${NORTHWIND}/changes?path=%2FaddOns%2Fa`);
    expect(valuesOf('Assisted')).toBe(`/org/${NORTHWIND}/changes?path=%2FserviceLevel`);
    const plan = screen.getByRole('region', { name: 'Plan' });
    expect(eventsIn(plan)).toEqual(['/history/1101', ...Array<string>(3).fill('/history/1140'), '/history/1200']);
    const traffic = screen.getByText('812,400 views reported for November 2026; 1,000,000 from Pulse Teams');
    expect(eventsIn(traffic.closest('details'))).toEqual(['/history/1281', '/history/1101']);
  });

  it('requests and shows the last change, with its actor and the earlier value, only when a person opens the explanation', async () => {
    const { user, sent } = await opened();
    const plan = within(screen.getByRole('region', { name: 'Plan' }));
    expect(sent.filter(({ url }) => url.endsWith('/changes'))).toEqual([]);
    await user.click(plan.getByText('Pulse Teams').closest('div')!.querySelector('summary')!);
    expect(await plan.findByText('Plan assigned by billing · before: Pulse Solo')).toBeVisible();
  });

  const usersOf = async (search: string, but?: (request: SentRequest) => ConsoleReply | undefined) => {
    const { user, sent } = await opened(but, search);
    const item = screen.getByRole('heading', { name: 'Users' }).closest('li')!;
    await user.click(item.querySelector('summary')!);
    return { user, row: within(item), sent };
  };
  const counted = (used: number) => `The ${used} entries that count, each with the event that added it`;

  it('that counts entries leads to the list of these entries, and names the last removals from the list', async () => {
    const { row } = await usersOf('');
    const list = await row.findByRole('link', { name: counted(7) });
    expect(list).toHaveAttribute('href', `/org/${NORTHWIND}/members`);
    expect(await row.findByText('Last removals')).toBeVisible();
    expect(row.getAllByText(/, Member removed by \u2068Ada Jansen\u2069$/)).toHaveLength(2);
    const events = row.getAllByRole('link', { name: /^#1,(206|100) / }).map((link) => link.getAttribute('href'));
    expect(events).toEqual([`/org/${NORTHWIND}/history/1206`, `/org/${NORTHWIND}/history/1100`]);
    const all = row.getByRole('link', { name: 'All changes of this list' });
    expect(all).toHaveAttribute('href', `/org/${NORTHWIND}/changes?path=%2Fmembers`);
  });

  /** The shown entries that count, each with the number of the event that added it. */
  const entriesOf = (row: BoundFunctions<typeof queries>) =>
    row
      .queryAllByRole('list', { name: /that count, each with/ })
      .flatMap((list) => within(list).getAllByRole('listitem'))
      .map((item) => item.textContent.replace(/ · .*/, ''));

  it('that counts entries names each entry and the event that added it, at the moment of the page', async () => {
    const { row } = await usersOf('');
    await row.findByRole('link', { name: counted(7) });
    await waitFor(() =>
      expect(entriesOf(row)).toEqual([
        ...['\u2068Ada Jansen\u2069 #12', '\u2068Ben Okafor\u2069 #12'],
        // the service names two of the members
        ...organization.members.slice(2).map(({ _id }) => `person ${_id.slice(0, 8)} #12`),
      ]),
    );
  });

  it('that counts entries names the first 20 entries, and then links to the list', async () => {
    const since = { event: 7, at: entitlements.at };
    const members = Array.from({ length: 22 }, (_, index) => ({
      ...{ _id: `m${index}`, role: 'member', since: { ...since, event: 30 - index }, roleSince: since },
    }));
    const { row } = await usersOf('', ({ url }) =>
      url.endsWith(NORTHWIND) ? { status: 200, data: { ...organization, members } } : undefined,
    );
    expect(await row.findByRole('link', { name: '2 more in the list' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/members`,
    );
    expect(entriesOf(row)).toHaveLength(20);
    expect(entriesOf(row)[0]).toBe('person m21 #9');
  });

  it('that counts entries names at most the last three removals from the list', async () => {
    const removal = (revision: number) => ({
      ...{ type: 'MemberRemoved', revision, at: entitlements.at, actor: { kind: 'account', id: 'p' } },
      ...{ before: { [`m${revision}`]: { role: 'member' } }, after: {} },
    });
    const changes = [1_203, 1_202, 1_201, 1_200].map(removal);
    const { row } = await usersOf('', ({ url }) =>
      url.endsWith('/changes') ? { status: 200, data: { path: '/members', changes, next: null } } : undefined,
    );
    expect(await row.findByText('Last removals')).toBeVisible();
    expect(row.getAllByRole('link', { name: /^#1,20\d / }).map((link) => link.getAttribute('href'))).toEqual(
      [1_203, 1_202, 1_201].map((revision) => `/org/${NORTHWIND}/history/${revision}`),
    );
  });

  it('that counts entries names no removals after the moment of the page', async () => {
    const { row } = await usersOf('?asOf=1191');
    expect(await row.findByText(/, Member removed by/)).toBeVisible();
    expect(row.queryByRole('link', { name: /^#1,206 / })).toBeNull();
    expect(row.getByRole('link', { name: counted(5) })).toHaveAttribute('href', `/org/${NORTHWIND}/members?asOf=1191`);
  });

  /** Answers each request for changes with 100 changes from this revision down, and says that more follow. */
  const endlessChanges = (newest: number) => {
    const change = { type: 'MemberRoleChanged', at: entitlements.at, actor: { kind: 'account', id: 'p' } };
    const changes = Array.from({ length: 100 }, (_, index) => ({
      ...{ ...change, revision: newest - index },
      ...{ before: { p: { role: 'admin' } }, after: { p: { role: 'owner' } } },
    }));
    return ({ url }: SentRequest): ConsoleReply | undefined =>
      url.endsWith('/changes') ? { status: 200, data: { path: '/members', changes, next: 'c' } } : undefined;
  };
  const changeReads = (sent: readonly SentRequest[]) => sent.filter(({ url }) => url.endsWith('/changes'));
  const ALL_LATER = 'The last 500 changes are all later than the moment of this page.';

  it('of entries looks for removals in at most 500 changes', async () => {
    const { row, sent } = await usersOf('', endlessChanges(1_200));
    expect(await row.findByText('No removal is among the last 500 changes of this list.')).toBeVisible();
    expect(changeReads(sent)).toHaveLength(5);
  });

  it('of entries looks no further if the last 500 changes are later than the moment of the page', async () => {
    const { row, sent } = await usersOf('?asOf=1191', endlessChanges(1_300));
    expect(await row.findByText(ALL_LATER)).toBeVisible();
    expect(changeReads(sent)).toHaveLength(5);
  });

  it('reads at most 500 changes to find the last change before the moment of the page', async () => {
    const { user, sent } = await opened(endlessChanges(1_300), '?asOf=1191');
    const plan = screen.getByRole('region', { name: 'Plan' });
    await user.click(plan.querySelector('summary')!);
    expect(await within(plan).findByText(ALL_LATER)).toBeVisible();
    expect(changeReads(sent)).toHaveLength(5);
  });

  it('of entries says that the list has no removal', async () => {
    const { row } = await usersOf('', ({ url }) =>
      url.endsWith('/changes') ? { status: 200, data: { path: '/members', changes: [], next: null } } : undefined,
    );
    expect(await row.findByText('Nothing was removed from this list.')).toBeVisible();
  });

  it('keeps the moment of the page in its links', async () => {
    await opened(undefined, '?asOf=1191');
    await openAllReasons();
    expect(valuesOf('Traffic')).toBe(`/org/${NORTHWIND}/changes?path=%2Ftraffic&asOf=1191`);
  });

  it('has reasons with links only after a person opens them, so that a page with many closed reasons stays fast', async () => {
    await opened();
    expect(screen.queryByRole('link', { name: /^All values/ })).toBeNull();
    expect(screen.queryByText(/^#1,101/)).toBeNull();
  });

  it('has no links for a member without the right to read the history', async () => {
    const standing = { organization: NORTHWIND, roles: ['member'], may: [], reads: ['document'], grants: [] };
    const { row, sent } = await usersOf('', ({ url }) =>
      url.endsWith('/standing') ? { status: 200, data: standing } : undefined,
    );
    expect(row.getByRole('link', { name: counted(7) })).toBeVisible();
    expect(sent.filter(({ url }) => url.endsWith('/changes'))).toEqual([]);
    await openAllReasons();
    expect(screen.getAllByText(/^#1,101/)).not.toHaveLength(0);
    expect(screen.queryByRole('link', { name: /^All values/ })).toBeNull();
  });
});

describe('Features', () => {
  it('that are on show the reason, with the event of the reason', async () => {
    const { user } = await opened();
    await user.click(rowOf('Multi-user').getByText('Included in Pulse Teams', { selector: 'summary' }));
    expect(rowOf('Multi-user').getByText(/#1,191/)).toBeVisible();
  });

  it("that are off show the reason, and what in today's catalogue would turn them on", async () => {
    const { user } = await opened();
    const row = rowOf('Feedback notes');
    await user.click(row.getByText('Not in Pulse Teams', { selector: 'summary' }));
    expect(row.getByText('#1,101', { exact: false })).toBeVisible();
    const kept = "Pulse Teams with today's terms"; // the organization keeps the terms that it bought
    expect(
      row.getByText(`By today's catalogue, ${kept}, Pulse Enterprise, or the add-on Feedback would turn it on.`),
    ).toBeVisible();
    expect(rowOf('Multi-user').queryByText(/today's catalogue/)).toBeNull();
  });

  it.each([
    [['closed', 'moved away'], ['not-in-plan', 'second/teams'], 'The organization is closed · Not in Pulse Teams'],
    [['product', 'disabled'], ['not-in-plan', 'second/teams'], 'The product is switched off · Not in Pulse Teams'],
    [['none', 'no plan'], ['service-level', 'none'], 'There is no plan · No service level'],
  ])('that are off show all reasons, for example %s and %s', async (one, other, shown) => {
    const because = [one, other].map(([kind, what]) => ({ kind, what, event: 7, at: entitlements.at }) as Reason);
    const feature = { on: false, because };
    const features = { ...entitlements.features, chatSupport: feature };
    const { user } = await renderConsole(<Features features={features} catalogue={catalogue} />);
    const row = rowOf('Chat support');
    await user.click(row.getByText(shown, { selector: 'summary' }));
    const today = "By today's catalogue, the service level Assisted or the service level Turnkey would turn it on.";
    expect(row.queryByText(/today/)?.textContent).toBe(one[0] === 'none' ? today : undefined);
  });

  it("say that nothing in today's catalogue would turn them on, but only after the browser has loaded the catalogue", async () => {
    const nothing = { ...catalogue, features: { ...catalogue.features, disableAISummary: [] } };
    const opensReasons = async (known: Catalogue | undefined) => {
      const { user, unmount } = await renderConsole(<Features features={entitlements.features} catalogue={known} />);
      const row = rowOf('AI summaries can be switched off');
      await user.click(row.getByText(/^Not in /, { selector: 'summary' }));
      return { row, unmount };
    };
    const { row, unmount } = await opensReasons(nothing);
    expect(row.getByText("Nothing in today's catalogue would turn it on.")).toBeVisible();
    unmount();
    expect((await opensReasons(undefined)).row.queryByText(/today/)).toBeNull();
  });

  it('have the filter that the opened address contains', async () => {
    await opened(() => undefined, '?features=on#q=matomo');
    expect(screen.getByRole('radio', { name: 'On' })).toBeChecked();
    expect(screen.getByRole('searchbox')).toHaveValue('matomo');
  });

  it('can be filtered by name and by state', async () => {
    const { user } = await opened();
    await user.type(screen.getByRole('searchbox'), 'feedback');
    await user.click(screen.getByRole('radio', { name: 'On' }));
    expect(screen.getByText('No feature matches.', { exact: false })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear filter' }));
    expect(screen.getAllByRole('row')).toHaveLength(18);
    expect(screen.getByRole('heading', { name: 'Features' })).toHaveFocus();
  });
});

describe('A limit whose feature is off', () => {
  it("says why the feature is off, and what in today's catalogue would turn the feature on", async () => {
    await opened();
    const row = within(screen.getByRole('heading', { name: 'Quality assurance domains' }).closest('li')!);
    expect(row.getByText('Not in Pulse Teams', { selector: 'summary' })).toBeVisible();
    expect(
      row.getByText(/^By today's catalogue, .*, or the add-on Quality assurance would turn it on\.$/),
    ).toBeVisible();
  });

  it('has links to the event because of which the feature is off, and to all values of the limit', async () => {
    const { user } = await opened();
    const item = screen.getByRole('heading', { name: 'Quality assurance domains' }).closest('li')!;
    await user.click(item.querySelector('summary')!);
    const row = within(item);
    expect(row.getByRole('link', { name: /^#1,101 / })).toHaveAttribute('href', `/org/${NORTHWIND}/history/1101`);
    expect(row.getByRole('link', { name: 'All values (Quality assurance domains)' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/changes?path=%2Flimits%2FqualityAssuranceDomains`,
    );
  });
});

describe('A limit at a past moment, for a resource that needs a feature', () => {
  const resource = 'webAnalyticsDomains';
  const rowOfLimit = () => screen.getByRole('heading', { name: 'Web analytics domains' }).closest('li')!;
  const limit = entitlements.limits[resource];
  const off = { on: false, because: entitlements.features['qualityAssurance'].because };
  const closed = {
    ...entitlements,
    limits: { ...entitlements.limits, [resource]: { ...limit, gate: { feature: 'webAnalytics' as const, on: false } } },
    features: { ...entitlements.features, webAnalytics: off },
  };
  const shown = (past: Entitlements, other: Entitlements) =>
    renderConsole(<Limits {...{ ...past, catalogue, other }} seen={Date.now()} />, { path: `/org/${NORTHWIND}` });

  it('shows that the feature was off, and the present limit if the feature is on now', async () => {
    await shown(closed, entitlements);
    const summary = rowOfLimit().querySelector('summary')!;
    expect(summary).toHaveTextContent('Not in Pulse Teams (now 1 of 1,000)');
  });

  it('shows the past limit, and says why the feature is off now', async () => {
    await shown(entitlements, closed);
    expect(within(rowOfLimit()).getByText('1 of 1,000 (now Not in Pulse Teams)')).toBeVisible();
  });

  it('shows the reasons only once if the feature is still off for the same reasons', async () => {
    await shown(closed, closed);
    expect(rowOfLimit().querySelector('summary')).toHaveTextContent(/^Not in Pulse Teams$/);
  });
});

it.each([
  [6, 8, 'ok', undefined],
  [7, 8, 'warn', '88% used'],
  [8, 8, 'warn', 'Limit reached'],
  [9, 8, 'bad', 'Over the limit'],
])('The bar of %i used of %i has the state %s', async (used, limit, state, words) => {
  const users = { ...entitlements.limits['users'], used, limit, over: Math.max(0, used - limit) };
  const limits = { ...entitlements.limits, users };
  await renderConsole(<Limits {...{ ...entitlements, limits, catalogue }} seen={Date.now()} />);
  const meter = screen.getByRole('meter', { name: 'Users' });
  expect([meter.getAttribute('data-state'), meter.nextElementSibling?.textContent]).toEqual([state, words]);
});

describe('The explanation of a limit', () => {
  const ofUsers = entitlements.limits['users'];
  const whyOf = async (users: Partial<Limit>) => {
    const limits = { ...entitlements.limits, users: { ...ofUsers, ...users } };
    const { container } = await renderConsole(<Limits {...{ ...entitlements, limits, catalogue }} seen={Date.now()} />);
    return container.querySelector('summary')!.textContent;
  };
  const { because } = ofUsers;

  it('shows the limit as a sum', async () => {
    expect(await whyOf({})).toBe('5 from Pulse Teams + 3 from User = 8; hard limit 10; so 8');
  });

  it('contains the event and the reason of an override that ignores the hard limit', async () => {
    const override = { kind: 'override' as const, what: 'a favour', event: 1190, at: '2026-05-01T09:00:00.000Z' };
    expect(await whyOf({ overridden: true, because: [...because, override] })).toBe(
      '5 from Pulse Teams + 3 from User = 8; the hard limit 10 is ignored since event 1,190: \u2068a favour\u2069',
    );
  });

  it('says so if the plan does not limit the users', async () => {
    const plan = { ...because[0]!, amount: null };
    expect(await whyOf({ limit: null, configured: null, hard: null, because: [plan, because[1]!] })).toBe(
      'Unlimited with Pulse Teams',
    );
  });
});

const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));

describe('Traffic', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([
    ['2026-11', 500, '500 of 1,000,000 views (now 812,400 of 1,000,000 views)'],
    ['2026-05', 500, '500 of 1,000,000 views (now 812,400 of 1,000,000 views in November 2026)'],
    [null, 0, 'No data yet (now 812,400 of 1,000,000 views in November 2026)'],
    ['2026-11', 812_400, '812,400 of 1,000,000 views'],
  ])('of %s with %d views is compared with the present', async (month, views, words) => {
    const traffic = { ...entitlements.traffic, month, views };
    const past = { ...entitlements, traffic };
    await renderConsole(<Limits {...{ ...past, catalogue }} other={entitlements} seen={Date.now()} />);
    expect(screen.getByText(words)).toBeVisible();
  });

  it('shows when its value was loaded, as soon as the value is older than 15 minutes', async () => {
    jest.useFakeTimers();
    await renderConsole(<Limits {...{ ...entitlements, catalogue }} seen={Date.now()} />);
    pass(15 * 60_000 - 1);
    expect(screen.queryByText(/^as of/)).toBeNull();
    pass(1);
    await waitFor(() => expect(screen.getByText(/^as of/)).toHaveTextContent(/^as of \d.* UTC$/));
  });
});

describe('The flags as programs see them', () => {
  const open = async (search = '', but: (request: SentRequest) => ConsoleReply | undefined = () => undefined) => {
    const sent: SentRequest[] = [];
    await opened((request) => {
      if (request.url.startsWith('/ofrep/')) sent.push(request);
      return but(request);
    }, search);
    const title = await screen.findByRole('heading', { name: 'Flags as programs see them' });
    expect(sent).toEqual([]);
    act(() => title.click());
    return sent;
  };

  it('are loaded when a person opens them, with the reason of each flag, at the revision of the page', async () => {
    const sent = await open();
    const row = await screen.findByRole('row', { name: /^limit\.users/ });
    expect(row).toHaveTextContent('limit.users8TARGETING_MATCHplan second/teams (event 1101)');
    expect(sent.map(({ method, params, body }) => ({ method, params, body }))).toEqual([
      { method: 'POST', params: { flagConfigEtag: 'r1283' }, body: { context: { targetingKey: NORTHWIND } } },
    ]);
  });

  it('are those of the past moment of the page', async () => {
    const sent = await open('?asOf=1191');
    await screen.findByRole('row', { name: /^limit\.users/ });
    expect(sent.map(({ params, body }) => ({ params, body }))).toEqual([
      { params: {}, body: { context: { targetingKey: NORTHWIND, asOf: '1191' } } },
    ]);
  });

  it('are not loaded for a moment in force, because programs cannot ask for it', async () => {
    const sent = await open('?valid=2026-05-02T09:00:00.000Z');
    expect(await screen.findByText("Programs can't ask for flags in force at another moment.")).toBeVisible();
    expect(sent).toEqual([]);
  });

  it('are not shown to an auditor of the platform, who may not evaluate flags', async () => {
    await opened((request) =>
      request.url.endsWith('/standing')
        ? {
            status: 200,
            data: { organization: NORTHWIND, roles: ['auditor'], may: [], reads: ['document', 'history'], grants: [] },
          }
        : undefined,
    );
    await screen.findByRole('heading', { name: 'Latest changes' });
    expect(screen.queryByRole('heading', { name: 'Flags as programs see them' })).toBeNull();
  });
});

describe('The reason for “since” on the overview', () => {
  it('says that the event names an earlier date, if the value was in force before the event was recorded', async () => {
    const { user } = await opened();
    const reasonOf = async (day: string) => {
      const summary = screen.getAllByText(saying(`since ${day}`))[0]!;
      await user.click(summary);
      return summary.closest('details');
    };
    expect(await reasonOf('Feb 3, 2025')).not.toHaveTextContent('an earlier date');
    const reason = await reasonOf('Mar 1, 2025');
    await waitFor(() => expect(reason).toHaveTextContent(/#1,140 · Mar 4, 2025/));
    expect(reason).toHaveTextContent('The event names an earlier date of effect.');
  });
});
