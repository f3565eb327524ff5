import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { NORTHWIND } from '../../../../../test/journeys/pages/samples';
import { ADA, BEN, changesOf, memberPage } from '../../../../../test/journeys/pages/samples/lists';
import { type ConsoleReply, nextFrames, saying } from '../../open.testing';
import { openOrganization } from '../open-organization.testing';

const rows = () => screen.getAllByRole('row').slice(1);
const rowOf = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));

afterEach(() => void jest.useRealTimers());

describe('The members page', () => {
  it('shows the users limit and how it is computed, and each member with role and state', async () => {
    await openOrganization('/members');
    expect(await screen.findByText('7 of 8')).toBeVisible();
    expect(screen.getByText('5 from Pulse Teams + 3 from User = 8; hard limit 10; so 8')).toBeVisible();
    expect(await screen.findByRole('link', { name: 'Ada Jansen' })).toBeVisible();
    expect(rowOf('Ben Okafor').getByText('Admin')).toBeVisible();
    expect(rowOf('carla@northwind.example').getByText('Invited')).toBeVisible();
    expect(screen.getByText('Erased person')).toBeVisible();
    expect(screen.queryByRole('list', { name: 'Meaning of the marks' })).toBeNull();
  });

  it('shows the last change of a member, unless the change added the member or gave the member the role', async () => {
    const change = (revision: number, member: string, type: string) => ({
      ...{ revision, type, at: '2026-07-01T09:00:00.000Z', actor: { kind: 'account', id: ADA } },
      ...{ before: { [member]: { productUser: false } }, after: { [member]: { productUser: true } } },
    });
    const answer = [
      change(1_250, ADA, 'ProductUserFlagged'),
      change(1_204, BEN, 'MemberRoleChanged'),
      change(1_100, ADA, 'ProductUserUnflagged'),
    ];
    await openOrganization('/members', ({ url }) =>
      url.endsWith('/changes') ? { status: 200, data: { path: '/members', changes: answer, next: null } } : undefined,
    );
    expect(await screen.findByText(/^Last change:/)).toHaveTextContent(/^Last change: #1,250 · Jul 1, 2026$/);
    expect(rowOf('Ada Jansen').getByRole('link', { name: /^#1,250 / })).toBeVisible();
  });

  it('moves the focus from row to row with j, k and the arrow keys, and Enter opens the member', async () => {
    const { user, address } = await openOrganization('/members');
    const ada = await screen.findByRole('link', { name: 'Ada Jansen' });
    const ben = screen.getByRole('link', { name: 'Ben Okafor' });
    for (const [key, link] of [
      ['j', ada],
      ['j', ben],
      ['k', ada],
      ['k', ada],
      ['{ArrowDown}', ben],
    ] as const) {
      await user.keyboard(key);
      expect([key, document.activeElement]).toEqual([key, link]);
    }
    await user.type(screen.getByRole('searchbox'), 'jk');
    expect(screen.getByRole('searchbox')).toHaveFocus();
    ben.focus();
    await user.keyboard('{Enter}');
    expect(address()).toBe(`/members/${BEN}`);
  });

  it('moves the focus to the first and last row with Home and End, and by ten rows with the page keys', async () => {
    const { user } = await openOrganization('/members');
    const ada = await screen.findByRole('link', { name: 'Ada Jansen' });
    const links = rows().map((row) => within(row).getAllByRole('link')[0]);
    await user.keyboard('{End}');
    expect(document.body).toHaveFocus(); // the keys scroll the page while no row has the focus
    ada.focus();
    for (const [key, link] of [
      ['{End}', links.at(-1)],
      ['{Home}', links[0]],
      ['{PageDown}', links[Math.min(10, links.length - 1)]],
      ['{PageUp}', links[0]],
    ] as const) {
      await user.keyboard(key);
      expect([key, document.activeElement]).toEqual([key, link]);
    }
  });

  it('changes the order of the list with the key o', async () => {
    const { user, address } = await openOrganization('/members');
    await screen.findByRole('link', { name: 'Ada Jansen' });
    const sorted = () => screen.getAllByRole('columnheader').filter((cell) => cell.ariaSort !== null);
    expect(sorted().map((cell) => [cell.textContent, cell.ariaSort])).toEqual([['Name', 'ascending']]);
    await user.keyboard('o');
    expect(address()).toBe('/members?sort=role');
    await user.keyboard('o');
    expect(address()).toBe('/members?sort=-since');
    expect(sorted().map((cell) => [cell.textContent, cell.ariaSort])).toEqual([['Since', 'descending']]);
    await user.keyboard('o');
    expect(address()).toBe('/members');
  });

  it('moves the focus to the search field when the person presses /', async () => {
    const { user } = await openOrganization('/members');
    const field = await screen.findByRole('searchbox');
    await user.keyboard('/');
    expect(field).toHaveFocus();
    expect(field).toHaveValue('');
  });

  it('keeps all choices that a person makes before the address has changed', async () => {
    const { address } = await openOrganization('/members');
    await screen.findByRole('link', { name: 'Ada Jansen' });
    const put = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
    act(() => {
      put(screen.getByRole('combobox', { name: 'Role' }), 'member');
      put(screen.getByRole('combobox', { name: 'State' }), 'invited');
      put(screen.getByRole('searchbox'), 'bne');
    });
    expect(address()).toBe('/members?role=member&state=invited#q=bne');
  });

  it('stores the filter of role and state in the query of the address, and the search text in the fragment', async () => {
    const { user, address } = await openOrganization('/members');
    await screen.findByRole('link', { name: 'Ada Jansen' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'member');
    await user.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'invited');
    expect(address()).toBe('/members?role=member&state=invited');
    await waitFor(() => expect(rows()).toHaveLength(1));
    await user.type(screen.getByRole('searchbox'), 'bne');
    expect(address()).toBe('/members?role=member&state=invited#q=bne');
    expect(await screen.findByText('No member is called “bne”.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear filter' }));
    expect(address()).toBe('/members');
    await waitFor(() => expect(rows()).toHaveLength(5));
    expect(screen.getByRole('heading', { name: 'List of members' })).toHaveFocus();
  });

  it('applies the filter in the address when a person opens the address', async () => {
    await openOrganization('/members?role=owner#q=jansen');
    expect(await screen.findByRole('link', { name: 'Ada Jansen' })).toBeVisible();
    expect(rows()).toHaveLength(1);
    expect(screen.getByRole('searchbox')).toHaveValue('jansen');
  });

  it('sends the search text only in the body of a request, never in a URL', async () => {
    const { user, sent } = await openOrganization('/members?role=owner');
    await user.type(await screen.findByRole('searchbox'), 'jansen');
    await waitFor(() => expect(JSON.stringify(sent)).toContain('jansen'));
    const [search] = sent.filter(({ body }) => JSON.stringify(body ?? {}).includes('jansen'));
    expect(search).toMatchObject({ method: 'POST', params: {}, body: { q: 'jansen', role: 'owner', limit: 100 } });
    expect(search!.url).toMatch(/\/members\/search$/);
    expect(sent.filter(({ url, params }) => JSON.stringify([url, params]).includes('jansen'))).toEqual([]);
  });

  it.each([
    ['/members', 'List of members'],
    ['/sites', 'Content sections'],
    ['/domains', 'Quality assurance domains'],
  ])(
    '%s begins, for a person who may only read, with a note that says why there are no controls',
    async (path, heading) => {
      const standing = { organization: 'x', roles: ['member'], may: [], reads: ['document'], grants: [] };
      await openOrganization(path, ({ url }) =>
        url.endsWith('/standing') ? { status: 200, data: standing } : undefined,
      );
      const note = await screen.findByText(/^You can only read this page\. To change it, ask .*Ada Jansen/);
      const first = await screen.findByRole('heading', { name: heading });
      expect(note.compareDocumentPosition(first)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    },
  );

  it('loads the first page of members, and the next page after the person presses a button', async () => {
    const pages = { '': { first: 0, next: 'c' }, c: { first: 2, next: null } };
    const { user, sent } = await openOrganization('/members?sort=-since', ({ url, params }) => {
      if (!url.endsWith('/members')) return undefined;
      const { first, next } = pages[(params['cursor'] ?? '') as keyof typeof pages];
      const { members } = memberPage;
      return { status: 200, data: { members: members.slice(first, next ? 2 : undefined), next, inAll: 5 } };
    });
    expect(await screen.findByRole('link', { name: 'Ada Jansen' })).toBeVisible();
    expect(rows()).toHaveLength(2);
    const more = screen.getByRole('button', { name: 'Show more rows (3)' });
    await user.click(more);
    expect(more).toBeEnabled(); // a browser takes the focus away from a disabled button
    await waitFor(() => expect(rows()).toHaveLength(5));
    expect(screen.getByRole('heading', { name: 'List of members' })).toHaveFocus();
    const requests = sent.filter(({ url, params }) => url.endsWith('/members') && 'sort' in params);
    expect(requests.map(({ params }) => params)).toEqual([
      { sort: '-since', limit: '100' },
      { sort: '-since', cursor: 'c', limit: '100' },
    ]);
  });

  it('requests the list every 15 seconds while it shows an invited member, until a second page is loaded', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { sent } = await openOrganization('/members', ({ url, params }) => {
      if (!url.endsWith('/members')) return undefined;
      const next = 'cursor' in params ? null : 'c';
      return { status: 200, data: { members: memberPage.members, next, inAll: 10 } };
    });
    const lists = () => sent.filter(({ url }) => url.endsWith('/members')).length;
    const more = await screen.findByRole('button', { name: /^Show more rows/ });
    const first = lists();
    await act(() => jest.advanceTimersByTimeAsync(15_000));
    expect(lists() - first).toBe(1);
    fireEvent.click(more);
    await waitFor(() => expect(more).not.toBeInTheDocument());
    const second = lists();
    await act(() => jest.advanceTimersByTimeAsync(30_000));
    expect(lists() - second).toBe(0);
  });

  it("marks the members that have changed, were removed or were added since the page's moment", async () => {
    await openOrganization('/members?asOf=1191');
    expect(await screen.findByText('5 (now 7) of 8')).toBeVisible();
    await waitFor(() => expect(rowOf('Ben Okafor').getByText('Member (now Admin)')).toBeVisible());
    expect(rowOf('Ben Okafor').getByText('changed since')).toBeVisible();
    expect(screen.getAllByText('removed since')).toHaveLength(1);
    expect(screen.getAllByText('added later')).toHaveLength(3);
    expect(screen.getByText('was not here yet')).toBeVisible();
    expect(
      screen.getAllByText('The names of people are their present names, because events contain only ids.'),
    ).toHaveLength(1);
  });

  it('compares with a later moment that the address names, and keeps this moment in links', async () => {
    const { sent } = await openOrganization('/members?asOf=1191&vs=1280');
    expect(await screen.findByText('5 (at #1,280: 7) of 8')).toBeVisible();
    await waitFor(() => expect(rowOf('Ben Okafor').getByText('Member (at #1,280: Admin)')).toBeVisible());
    expect(rowOf('Ben Okafor').getByText('changed in between')).toBeVisible();
    expect(screen.getAllByText('removed in between')).toHaveLength(1);
    expect(screen.getAllByText('added in between')).toHaveLength(3);
    expect(screen.getByText('was here, and is gone at #1,280')).toBeVisible();
    expect(screen.getByText('was not here yet')).toBeVisible();
    expect(rowOf('Ben Okafor').getByRole('link', { name: /Ben/ }).getAttribute('href')).toMatch(/asOf=1191&vs=1280$/);
    const lists = sent.filter(({ url }) => url.endsWith('/members'));
    expect(lists.map(({ params }) => params['asOf'])).toEqual(['1191', '1280']);
  });

  it('compares with an earlier moment that the address names', async () => {
    await openOrganization('/members?asOf=1280&vs=1191');
    expect(await screen.findByText('7 (at #1,191: 5) of 8')).toBeVisible();
    await waitFor(() => expect(rowOf('Ben Okafor').getByText('Admin (at #1,191: Member)')).toBeVisible());
    expect(screen.getByText('was there at #1,191, and is gone here')).toBeVisible();
    expect(screen.getByText('was not there yet at #1,191')).toBeVisible();
    expect(screen.getByText('has other values at #1,191')).toBeVisible();
    const removal = await screen.findByRole('link', { name: '#1,206 · Jun 20, 2026' });
    expect(removal.getAttribute('href')).toMatch(/\/history\/1206\?asOf=1280&vs=1191$/);
    expect(removal.closest('tr')).toHaveAttribute('data-here', 'false');
  });

  it('compares with nothing if the address says so', async () => {
    const { sent } = await openOrganization('/members?asOf=1191&vs=none');
    expect(await screen.findByText('5 of 8')).toBeVisible();
    await waitFor(() => expect(rowOf('Ben Okafor').getByText('Member')).toBeVisible());
    expect(screen.queryByRole('list', { name: 'Meaning of the marks' })).toBeNull();
    expect(sent.filter(({ url }) => url.endsWith('/members')).map(({ params }) => params['asOf'])).toEqual(['1191']);
  });

  it('shows the event that later removed a member, as a link without the moment of the page', async () => {
    await openOrganization('/members?asOf=1191');
    const removal = await screen.findByRole('link', { name: '#1,206 · Jun 20, 2026' });
    expect(removal.getAttribute('href')).toMatch(/\/history\/1206$/);
    expect(screen.queryByText(/^#1,100/)).toBeNull();
    expect(removal.parentElement).toHaveTextContent('Member removed by \u2068Ada Jansen\u2069');
  });

  it('shows the event that later changed a member after the person opens the mark', async () => {
    const { user } = await openOrganization('/members?asOf=1191');
    const change = await screen.findByText(saying('#1,204 · Jun 9, 2026'));
    expect(change).not.toBeVisible();
    await user.click(rowOf('Ben Okafor').getByText('changed since'));
    expect(change).toBeVisible();
    expect(rowOf('Ben Okafor').getByText(/Role changed by/)).toBeVisible();
  });

  it('loads earlier changes until it has found the removing event of each removed member', async () => {
    const { sent } = await openOrganization('/members?asOf=1191', ({ url, params }) => {
      if (!url.endsWith('/changes')) return undefined;
      const [renamed, removed] = [changesOf['/members']!.slice(1, 2), changesOf['/members']!.slice(0, 1)];
      return params['cursor'] === 'c'
        ? { status: 200, data: { path: '/members', changes: removed, next: 'd' } }
        : { status: 200, data: { path: '/members', changes: renamed, next: 'c' } };
    });
    expect(await screen.findByRole('link', { name: '#1,206 · Jun 20, 2026' })).toBeVisible();
    const cursors = sent.filter(({ url }) => url.endsWith('/changes')).map(({ params }) => params['cursor']);
    expect(cursors.slice(0, 2)).toEqual([undefined, 'c']);
  });

  it('loads at most 20 pages of changes, and then links to the changes of each member without an event', async () => {
    const { sent } = await openOrganization('/members?asOf=1191', ({ url, params }) => {
      if (!url.endsWith('/changes')) return undefined;
      const changes = changesOf['/members']!.slice(1, 2); // the change of another member
      return { status: 200, data: { path: '/members', changes, next: `${params['cursor'] ?? ''}c` } };
    });
    await screen.findAllByRole('link', { name: /^All values/ });
    const pages = sent.filter(({ url }) => url.endsWith('/changes'));
    expect(pages).toHaveLength(20);
    const removed = screen.getByText('removed since').closest('td, th')!;
    const link = within(removed as HTMLElement).getByRole('link', { name: /^All values/ });
    expect(link.getAttribute('href')).toMatch(/\/changes\?path=%2Fmembers%2F[0-9a-f-]{36}/);
  });

  it('keeps the moment, but not the filter, in the link to a member', async () => {
    const { user, address } = await openOrganization('/members?asOf=1191&role=member');
    await user.click(await screen.findByRole('link', { name: 'Ben Okafor' }));
    expect(address()).toBe(`/members/${BEN}?asOf=1191`);
  });

  it("shows the members' ids and a note while their names are unavailable", async () => {
    await openOrganization('/members', ({ url }) => (url.endsWith('/members') ? { status: 503 } : undefined));
    expect(await screen.findByText(/^Names are unavailable right now/)).toBeVisible();
    expect(rows()).toHaveLength(5);
    expect(screen.getByRole('link', { name: BEN })).toBeVisible();
  });

  it('names no order while the list is unavailable', async () => {
    await openOrganization('/members?sort=role', ({ url }) => (url.endsWith('/members') ? { status: 503 } : undefined));
    await screen.findByText(/^Names are unavailable right now/);
    expect(screen.getByRole('columnheader', { name: 'Role' })).not.toHaveAttribute('aria-sort');
  });

  it('shows no states while the names are unavailable, and the filter by state then hides no member', async () => {
    await openOrganization('/members?state=active', ({ url }) =>
      url.endsWith('/members') ? { status: 500 } : undefined,
    );
    expect(await screen.findByText(/^Names are unavailable right now/)).toBeVisible();
    expect(rows()).toHaveLength(5);
    expect(within(screen.getByRole('table')).queryByText('Id only')).toBeNull();
  });

  it('keeps the rows while the page requests unavailable names again', async () => {
    let answer: ConsoleReply | Promise<ConsoleReply> = { status: 500 };
    const { user } = await openOrganization('/members', ({ url }) => (url.endsWith('/members') ? answer : undefined));
    await screen.findByText(/^Names are unavailable right now/);
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    answer = promise;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await nextFrames();
    expect(rows()).toHaveLength(5);
    resolve({ status: 200, data: { ...memberPage, inAll: 5 } });
    expect(await screen.findByRole('link', { name: 'Ada Jansen' })).toBeVisible();
    expect(screen.queryByText(/unavailable/)).toBeNull();
    expect(screen.getByRole('heading', { name: 'List of members' })).toHaveFocus();
  });

  it('says that its names and states may be old if only a later request for the shown names fails', async () => {
    let isFailing = false;
    await openOrganization('/members', ({ url }) =>
      url.endsWith('/members') && isFailing ? { status: 500 } : undefined,
    );
    await screen.findByRole('link', { name: 'Ada Jansen' });
    isFailing = true;
    act(() => void window.dispatchEvent(new Event('focus')));
    const note = await screen.findByText('The names and states may be out of date.');
    expect(screen.getByRole('link', { name: 'Ada Jansen' })).toBeVisible();
    isFailing = false;
    fireEvent.click(within(note).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(note).not.toBeInTheDocument());
  });
});

describe('The page of a member', () => {
  it('shows each role that the member had, with the event that changed the role', async () => {
    await openOrganization(`/members/${BEN}`);
    expect(await screen.findByText('Ben Okafor')).toBeVisible();
    expect(await screen.findByText('Role: Member → Admin')).toBeVisible();
    // the page shows the event twice: as the start of the role, and in the list of changes
    expect(screen.getAllByText(saying('#1,204 · Jun 9, 2026'))).toHaveLength(2);
  });

  it('names the people who changed the member, and names other causes such as billing', async () => {
    const change = (revision: number, actor: object) => ({
      ...{ revision, actor, at: '2026-06-09T09:00:00.000Z', type: 'MemberRoleChanged' },
      ...{ before: { role: 'member' }, after: { role: 'admin' } },
    });
    const changes = [change(1204, { kind: 'account', id: ADA }), change(1100, { kind: 'billing', id: 'stripe' })];
    await openOrganization(`/members/${BEN}`, ({ url }) =>
      url.endsWith('/changes') ? { status: 200, data: { path: '', changes, next: null } } : undefined,
    );
    expect(await screen.findByText(/Role changed by \u2068Ada Jansen\u2069/)).toBeVisible();
    expect(screen.getByText(/Role changed by billing/)).toBeVisible();
    expect(screen.queryByText(/by a person/)).toBeNull();
  });

  it('links to all events about the member, and to all events by the member', async () => {
    await openOrganization(`/members/${BEN}?asOf=1191`);
    const about = await screen.findByRole('link', { name: 'History of this member' });
    expect(about.getAttribute('href')).toMatch(`/history?about=${encodeURIComponent(`/members/${BEN}`)}&asOf=1191`);
    const by = await screen.findByRole('link', { name: 'All events by this member' });
    expect(by.getAttribute('href')).toMatch(`/history?actor=${BEN}&asOf=1191`);
  });

  it('marks changes that were recorded after the moment of the page', async () => {
    await openOrganization(`/members/${BEN}?asOf=1191`);
    expect(await screen.findAllByText('recorded later')).toHaveLength(1);
  });

  it('lists what the member did up to the moment of the page', async () => {
    const { sent } = await openOrganization(`/members/${BEN}?asOf=1191`);
    await waitFor(() => expect(sent.filter(({ params }) => params['actor'] === BEN)).toHaveLength(1));
    expect(sent.find(({ params }) => params['actor'] === BEN)?.params['to']).toBe('1191');
  });

  it('says so if the revision at the moment of the page is unavailable, and loads it again', async () => {
    let isDown = true;
    const { user } = await openOrganization(`/members/${BEN}?asOf=1191`, ({ url, params }) =>
      isDown && url.endsWith('/entitlements') && params['asOf'] === '1191' ? { status: 500, data: {} } : undefined,
    );
    const acts = await screen.findByRole('region', { name: 'Events by this member' });
    expect(await within(acts).findByText('Events by this member: unavailable right now.')).toBeVisible();
    isDown = false;
    await user.click(within(acts).getByRole('button', { name: 'Try again' }));
    expect(await within(acts).findByText('All events by this member')).toBeVisible();
    expect(screen.queryByText(/unavailable right now/)).toBeNull();
    expect(within(acts).getByRole('heading')).toHaveFocus();
  });

  it('keeps the shown events by the member while the revision at another past moment loads', async () => {
    const { user, address } = await openOrganization(
      `/members/${BEN}?asOf=1191`,
      ({ url, params }) =>
        url.endsWith('/entitlements') && params['asOf'] === '1190' ? new Promise(() => undefined) : undefined,
      <Link to={`/org/${NORTHWIND}/members/${BEN}?asOf=1190`}>one event earlier</Link>,
    );
    expect(await screen.findByText('All events by this member')).toBeVisible();
    await user.click(screen.getByText('one event earlier'));
    expect(address()).toBe(`/members/${BEN}?asOf=1190`);
    expect(screen.getByText('All events by this member')).toBeVisible();
  });

  it('names the roles that may read the history, for a member without the right to audit, and requests no history', async () => {
    const standing = { organization: 'x', roles: ['member'], may: [], reads: ['document'], grants: [] };
    const { sent } = await openOrganization(`/members/${BEN}`, ({ url }) =>
      url.endsWith('/standing') ? { status: 200, data: standing } : undefined,
    );
    expect(await screen.findByText('The history is for owners and administrators.')).toBeVisible();
    expect(sent.filter(({ url }) => /changes|events/.test(url))).toEqual([]);
  });

  it('says so if the name and the state of the member are unavailable, and loads them again', async () => {
    let isFailing = true;
    const { user } = await openOrganization(`/members/${BEN}`, ({ url }) =>
      url.endsWith('/members/search') && isFailing ? { status: 500 } : undefined,
    );
    expect(await screen.findByText('Name: unavailable right now.')).toBeVisible();
    expect(screen.queryByText('Id only')).toBeNull();
    isFailing = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Active')).toBeVisible();
    expect(screen.queryByText('Name: unavailable right now.')).toBeNull();
  });

  it('shows no state of the member until the state has loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    await openOrganization(`/members/${BEN}`, ({ url }) => (url.endsWith('/members/search') ? promise : undefined));
    await screen.findByText('Role: Member → Admin');
    expect(screen.queryByText('Id only')).toBeNull();
    resolve({ status: 200, data: { ...memberPage, members: memberPage.members.slice(3, 4), inAll: 1 } });
  });

  it('says so if no member has the id in the address', async () => {
    await openOrganization('/members/7c1e52f0-0000-4000-8000-000000000099');
    expect(await screen.findByText('No member with this id at this moment.')).toBeVisible();
  });

  it("shows “you” beside the signed-in person's own name", async () => {
    await openOrganization(`/members/${ADA}`);
    expect(await screen.findByText('you')).toBeVisible();
  });
});

describe('The number of an event', () => {
  it('is a link to the event that keeps the moment of the page', async () => {
    await openOrganization('/members?asOf=1191');
    const [first] = await screen.findAllByRole('link', { name: '#12 · Mar 6, 2019' });
    expect(first!.getAttribute('href')).toMatch(/\/history\/12\?asOf=1191$/);
  });

  it('is plain text for a member without the right to audit', async () => {
    const standing = { organization: 'x', roles: ['member'], may: [], reads: ['document'], grants: [] };
    await openOrganization('/members', ({ url }) =>
      url.endsWith('/standing') ? { status: 200, data: standing } : undefined,
    );
    expect(await screen.findAllByText(saying('#12 · Mar 6, 2019'))).not.toHaveLength(0);
    expect(screen.queryByRole('link', { name: /^#12/ })).toBeNull();
  });
});
