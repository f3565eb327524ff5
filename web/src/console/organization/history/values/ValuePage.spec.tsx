import { act, screen, waitFor, within } from '@testing-library/react';
import { BEN, SHOP } from '../../../../../../test/journeys/pages/samples/lists';
import { openOrganization } from '../../open-organization.testing';

const PATH = '/limits/users/limit';
const change = (revision: number) => ({
  ...{ revision, at: '2026-05-02T09:00:00.000Z', type: 'LimitsConfigured', actor: { kind: 'system', id: 'charter' } },
  ...{ before: revision - 1, after: revision },
});
const page = (first: number, next: string | null) => ({
  path: PATH,
  changes: Array.from({ length: 100 }, (_, row) => change(first - row)),
  next,
});

describe('The values of one field', () => {
  it('have a mark if they were recorded after the moment of the page', async () => {
    await openOrganization(`/changes?path=${PATH}&asOf=1191`, ({ url }) =>
      url.endsWith('/changes')
        ? { status: 200, data: { path: PATH, changes: [change(1192), change(1191)], next: null } }
        : undefined,
    );
    const row = async (name: string) => within((await screen.findByRole('link', { name })).closest('li')!);
    expect((await row('#1,192')).getByText('recorded later')).toBeVisible();
    expect((await row('#1,191')).queryByText('recorded later')).toBeNull();
  });

  it('beyond the newest 100 appear only after the person presses a button', async () => {
    const { user, sent } = await openOrganization(`/changes?path=${PATH}`, ({ url, params }) =>
      url.endsWith('/changes')
        ? { status: 200, data: params['cursor'] === 'c' ? page(100, null) : page(200, 'c') }
        : undefined,
    );
    expect(await screen.findAllByRole('link', { name: /^#/ })).toHaveLength(100);
    await user.click(screen.getByRole('button', { name: 'Show earlier changes' }));
    expect(await screen.findByRole('link', { name: '#1' })).toBeVisible();
    expect(screen.getAllByRole('link', { name: /^#/ })).toHaveLength(200);
    expect(screen.queryByRole('button', { name: 'Show earlier changes' })).toBeNull();
    expect(sent.filter(({ url }) => url.endsWith('/changes'))).toHaveLength(2);
  });

  it('have a link to a draft that restores them, such as for the name, but not for a limit', async () => {
    const opened = (path: string) =>
      openOrganization(`/changes?path=${path}`, ({ url }) =>
        url.endsWith('/changes') ? { status: 200, data: { path, changes: [change(1191)], next: null } } : undefined,
      );
    const { unmount } = await opened('/name');
    expect((await screen.findByRole('link', { name: 'Make it so again…' })).getAttribute('href')).toMatch(
      /[/]draft[?]undo=to:1191&only=%2Fname$/,
    );
    unmount();
    await opened(PATH);
    await screen.findByRole('link', { name: '#1,191' });
    expect(screen.queryByRole('link', { name: 'Make it so again…' })).toBeNull();
  });

  it('have the path of the address in the field, also after Back', async () => {
    const { user } = await openOrganization(`/changes?path=${PATH}`, ({ url, params }) =>
      url.endsWith('/changes')
        ? { status: 200, data: { path: params['path'], changes: [change(3)], next: null } }
        : undefined,
    );
    const field = await screen.findByLabelText('Path of the value');
    await user.clear(field);
    await user.type(field, '/name{Enter}');
    expect(await screen.findByText('/name')).toBeVisible();
    expect(field).toHaveFocus();
    act(() => screen.getByTestId('back').click());
    expect(await screen.findByText(PATH)).toBeVisible();
    expect(screen.getByLabelText('Path of the value')).toHaveValue(PATH);
  });
});

describe('A change of a value that is an object', () => {
  const at = '2026-05-02T09:00:00.000Z';
  const plan = (amount?: number) => ({
    ...{ kind: 'plan', what: 'second/teams', event: 3, at },
    ...(amount !== undefined && { amount }),
  });
  const report = (amount: number) => ({ kind: 'report', what: '2026-11', amount, event: 4, at });
  const member = { _id: BEN, role: 'member', pulseUser: false, since: { event: 2, at } };
  const user = { purchase: 'a', addOn: 'additionalUser', quantity: 3, effectiveAt: at, since: { event: 2, at } };
  const domain = { _id: 'd1', hostname: 'xn--mnchen-3ya.example', unicode: 'münchen.example', since: { event: 2, at } };
  const limit = { limit: 8, configured: 8, hard: 10, used: 6, remaining: 2, over: 0, overridden: false, because: [] };
  const gated = { feature: 'webAnalytics', on: false };

  /**
   * Each row has a path, the values before and after the change, the heading, and the words that the page shows for
   * both values.
   */
  const rows: readonly (readonly [
    path: string,
    before: unknown,
    after: unknown,
    title: string,
    words: readonly string[],
  ])[] = [
    ['/limits/users', { used: 5, remaining: 3 }, { used: 6, remaining: 2 }, 'Users', ['used: 5', 'used: 6']],
    [
      ...(['/limits/users', { limit: null, configured: null, unlimited: true }, { limit: 8, configured: 8 }] as const),
      ...(['Users', ['limit: no limit', 'limit: 8']] as const),
    ],
    ['/limits/users', { because: [plan(5)] }, { because: [] }, 'Users', ['5 from Pulse Teams', 'none']],
    [
      '/limits/users',
      { gate: gated },
      { gate: { ...gated, on: true } },
      'Users',
      ['Web analytics: off', 'Web analytics: on'],
    ],
    ['/limits/users/limit', null, 8, 'Users: limit', ['no limit', '8']],
    [
      '/limits',
      { users: limit },
      { users: { ...limit, used: 7 } },
      'Limits',
      [
        'Users: 6 of 8 · hard limit: 10 · hard limit overridden: off',
        'Users: 7 of 8 · hard limit: 10 · hard limit overridden: off',
      ],
    ],
    [
      '/features/webAnalytics',
      { on: false, because: [{ ...plan(), kind: 'not-in-plan' }] },
      { on: true, because: [plan()] },
      'Web analytics',
      ['off · Not in Pulse Teams', 'on · Included in Pulse Teams'],
    ],
    [
      '/traffic',
      { month: null, views: 0, because: [] },
      { month: '2026-11', views: 900, because: [report(900)] },
      'Traffic',
      ['No data yet', 'November 2026: 900 views'],
    ],
    [
      '/traffic',
      { views: 900, because: [report(900)] },
      { views: 950, because: [report(950)] },
      'Traffic',
      ['November 2026: 900 views', 'November 2026: 950 views'],
    ],
    [
      '/addOns/a',
      { quantity: 1, effectiveAt: at },
      { quantity: 3, effectiveAt: at },
      'Add-on a',
      ['quantity: 1', 'quantity: 3'],
    ],
    ['/addOns', {}, { a: user }, 'Add-ons', ['none', 'User ×3']],
    [
      '/plans/second',
      { plan: 'solo', effectiveAt: at },
      { plan: 'teams', effectiveAt: at },
      'Plan, second line',
      ['Pulse Solo', 'Pulse Teams'],
    ],
    ['/plans/second/plan', 'solo', 'teams', 'Plan, second line', ['Pulse Solo', 'Pulse Teams']],
    [
      `/sites/${SHOP}`,
      { features: { logo: true } },
      { features: { logo: false } },
      'shop.northwind.example',
      ['Logo: on', 'Logo: off'],
    ],
    ['/members', { [BEN]: member }, {}, 'Members', ['\u2068Ben Okafor\u2069: Member', 'none']],
    [
      `/members/${BEN}`,
      { pulseUser: false },
      { pulseUser: true },
      '\u2068Ben Okafor\u2069',
      ['product user: off', 'product user: on'],
    ],
    ['/webAnalytics/domains', {}, { d1: domain }, 'Web-analytics domains', ['none', 'münchen.example']],
    ['/pulseDetails/parallelUse', null, true, 'Parallel use', ['none', 'on']],
    ['/pulse', false, true, 'Product', ['off', 'on']],
    [
      '/founded',
      { event: 0, at },
      { event: 7, at },
      'founded',
      ['#0 · May 2, 2026, 9:00 AM UTC', '#7 · May 2, 2026, 9:00 AM UTC'],
    ],
  ];

  it.each(rows)('at %s is shown in words: %j, then %j', async (path, before, after, title, words) => {
    await openOrganization(`/changes?path=${path}`, ({ url }) =>
      url.endsWith('/changes')
        ? { status: 200, data: { path, changes: [{ ...change(3), before, after }], next: null } }
        : undefined,
    );
    const line = (await screen.findByRole('link', { name: '#3' })).closest('li')!;
    expect(await screen.findByRole('heading', { level: 2, name: title })).toBeVisible();
    const shown = () => [...line.querySelectorAll('del, ins')].map((one) => one.textContent.replace(/^\w+: /, ''));
    await waitFor(() => expect(shown()).toEqual(words)); // the names of people arrive later
    expect(line).not.toHaveTextContent(/[{}"]/);
  });
});
