import { webcrypto } from 'node:crypto';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Link, Route, Routes, useLocation } from 'react-router-dom';
import { HEAD } from '../../../../../test/journeys/pages/samples/history';
import { BEN, memberPage } from '../../../../../test/journeys/pages/samples/lists';
import { answering, NORTHWIND, people } from '../../../../../test/journeys/pages/samples';
import { type ConsoleReply, renderConsole, saying, type SentRequest } from '../../open.testing';
import History from './History';

const organization = `/api/v1/organizations/${NORTHWIND}`;
const present = ({ method, url, params }: SentRequest): ConsoleReply => {
  const path = `${url}?${new URLSearchParams(params).toString()}`;
  const { status, body } = answering(people.ada)({ method, path, body: undefined, xsrf: '' }) as {
    status: number;
    body: object;
  };
  return { status, data: body };
};

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{`${pathname.replace(`/org/${NORTHWIND}`, '')}${search}`}</output>;
}
const opened = (path = '', answer: (request: SentRequest) => ConsoleReply | Promise<ConsoleReply> = present) =>
  renderConsole(
    <>
      <Address />
      <Link to="/org/7c1e52f0-0000-4000-8000-000000000000/history">elsewhere</Link>
      <Link to={`/org/${NORTHWIND}/history?asOf=1191`}>an earlier moment</Link>
      <Routes>
        <Route path="/org/:id/history" element={<History />} />
        <Route path="/org/:id/history/:revision" element={<History />} />
      </Routes>
    </>,
    { answer, path: `/org/${NORTHWIND}/history${path}` },
  );

const ZOE = '7c1e52f0-0000-4000-8000-0000000000aa';
const address = () => screen.getByLabelText('address').textContent;
const grid = () => screen.findByRole('grid', { name: 'History' });
const rows = () => within(screen.getByRole('grid')).getAllByRole('row').slice(1);
const pagesSent = (sent: readonly SentRequest[]) =>
  sent.filter(({ url }) => url === `${organization}/events`).map(({ params }) => `${params['from']}-${params['to']}`);

// jsdom computes no layout, so the grid would be 0 pixels high and would show no row.
beforeAll(() => {
  Object.defineProperty(crypto, 'subtle', { value: webcrypto.subtle, configurable: true }); // jsdom has no `subtle`
  for (const [name, size] of [
    ['clientHeight', 600],
    ['clientWidth', 1000],
  ] as const)
    jest.spyOn(Element.prototype, name, 'get').mockReturnValue(size);
});
afterAll(() => void jest.restoreAllMocks());

describe('The history of an organization', () => {
  it('shows the newest event first, as a sentence with its actor', async () => {
    await opened();
    await grid();
    const first = within((await screen.findByText(/Ben Okafor.* removed/)).closest('tr')!);
    expect(first.getByText('#1,283')).toBeVisible();
    expect(first.getByText('Nov 21, 2026, 9:00:00 AM UTC')).toBeVisible();
    expect(first.getByText(/Ada Jansen/)).toBeVisible();
    expect(first.getByText('MemberRemoved')).toBeVisible();
    expect(first.getByRole('link')).toHaveAttribute('href', `/org/${NORTHWIND}/history/1283`);
  });

  it('has an event in its address after the person follows the link on the page of this event', async () => {
    const { user } = await opened('/1191?asOf=1200');
    await user.click(await screen.findByRole('link', { name: 'All events' }));
    expect(address()).toBe('/history?event=1191&asOf=1200');
  });

  it('does not load the list of members; the server searches for a member whose name a person types into the filter', async () => {
    const { user, sent } = await opened('', (request) =>
      request.url === `${organization}/names`
        ? { status: 200, data: { organization: NORTHWIND, names: {} } }
        : present(request),
    );
    await grid();
    await user.type(screen.getByRole('combobox', { name: 'Filter' }), 'actor:okaf');
    await user.click(await screen.findByRole('option', { name: /Ben Okafor/ }));
    await user.keyboard('{Enter}');
    expect(address()).toMatch(/^\/history\?actor=[0-9a-f-]{36}$/);
    expect(screen.getByRole('combobox', { name: 'Filter' })).toHaveValue('actor:"Ben Okafor"');
    expect(sent.filter(({ url }) => url.endsWith('/members'))).toEqual([]);
    expect(sent.filter(({ url }) => url.endsWith('/members/search')).map(({ body }) => body)).toEqual([
      { q: 'okaf', limit: 100 },
    ]);
  });

  it('says that names are unavailable if the search for a typed name fails, and searches again after Enter', async () => {
    let isFailing = true;
    const { user } = await opened('', (request) => {
      if (!request.url.endsWith('/members/search')) return present(request);
      const members = [{ ...memberPage.members[1], user: ZOE, name: 'Zoe Okafor' }];
      return isFailing ? { status: 500 } : { status: 200, data: { ...memberPage, members, next: null, inAll: 1 } };
    });
    await grid();
    await user.type(screen.getByRole('combobox', { name: 'Filter' }), 'actor:zoe{Enter}');
    expect(await screen.findByText(/^Names are unavailable right now/)).toBeVisible();
    isFailing = false;
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe(`/history?actor=${ZOE}`));
  });

  it('says that names are unavailable if the request for former members fails, and repeats it after Enter', async () => {
    let isFailing = true;
    const { user } = await opened('', (request) =>
      request.params['type'] === 'MemberRemoved' && isFailing ? { status: 500 } : present(request),
    );
    await grid();
    await user.type(screen.getByRole('combobox', { name: 'Filter' }), 'actor:zzz{Enter}');
    expect(await screen.findByText(/^Names are unavailable right now/)).toBeVisible();
    isFailing = false;
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/^Write a name/)).toBeVisible();
  });

  it.each([
    ['does not name a former member', { status: 200, data: { organization: NORTHWIND, names: {} } }],
    ['refuses the request for names', { status: 400, data: { type: '/problems/invalid-request' } }],
  ])('says that a typed name is unknown if the service %s', async (_, answer) => {
    const { user, sent } = await opened('', (request) => {
      const { url, params } = request;
      if (url === `${organization}/names`) return answer;
      const reply = present(request);
      if (url !== `${organization}/events` || params['type'] !== 'MemberRemoved') return reply;
      const { events } = reply.data as { events: readonly object[] };
      return { ...reply, data: { events: events.map((event) => ({ ...event, data: { member: ZOE } })), next: null } };
    });
    await grid();
    await user.type(screen.getByRole('combobox', { name: 'Filter' }), 'actor:zzz{Enter}');
    expect(await screen.findByText(/^Write a name/)).toBeVisible();
    expect(sent.flatMap(({ url, body }) => (url.endsWith('/names') ? (body as { ids: string[] }).ids : []))).toContain(
      ZOE,
    );
  });

  it('begins with the newest event of an organization that the person opens from the history of another one', async () => {
    const other = '7c1e52f0-0000-4000-8000-000000000000';
    const { user, sent } = await opened('', (request) => {
      const reply = present({ ...request, url: request.url.replace(other, NORTHWIND) });
      return request.url === `/api/v1/organizations/${other}/entitlements`
        ? { status: 200, data: { ...reply.data, revision: 5 } }
        : reply;
    });
    await grid();
    await user.click(screen.getByRole('link', { name: 'elsewhere' }));
    await waitFor(() =>
      expect(
        sent.filter(({ url }) => url === `/api/v1/organizations/${other}/events`).map(({ params }) => params['to']),
      ).toEqual(['5']),
    );
  });

  it('requests the names of API keys, and of people who are not members, only once', async () => {
    const named = {
      'former-0000': { name: 'Fay Former', as: 'former-member', erased: false },
      'erased-0000': { name: null, as: 'former-member', erased: true },
      'operator-00': { name: null, as: 'operator', erased: false },
      'key-0000000': { name: 'CI deploys', as: 'key', erased: false },
    };
    const actors = Object.keys(named).map((id) => ({ kind: id.startsWith('key') ? 'key' : 'account', id }));
    const { sent } = await opened('', (request) => {
      const { url } = request;
      if (url === `${organization}/names`) return { status: 200, data: { organization: NORTHWIND, names: named } };
      const reply = present(request);
      if (url === `${organization}/standing`)
        return { status: 200, data: { ...reply.data, reads: ['history', 'names'] } };
      if (url !== `${organization}/events`) return reply;
      const page = reply.data as { events: readonly { type: string; metadata: object }[] };
      let count = 0;
      const events = page.events.map((event) =>
        event.type === 'TrafficReported'
          ? event
          : { ...event, metadata: { ...event.metadata, actor: actors[count++ % actors.length] } },
      );
      return { status: 200, data: { ...page, events } };
    });
    for (const words of [/Fay Former/, /Erased person/, /^Operator$/i, /API key .*CI deploys/])
      expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
    const asked = sent
      .filter(({ url }) => url === `${organization}/names`)
      .map(({ body }) => (body as { ids: string[] }).ids);
    expect(asked.flat().sort()).toEqual([...Object.keys(named), BEN].sort());
  });

  it('requests only the events near the visible rows', async () => {
    const { sent } = await opened();
    await screen.findByText(/Ben Okafor.* removed/);
    expect(pagesSent(sent)).toEqual(['1184-1283']);
    expect(rows().length).toBeLessThan(40);
    expect(await grid()).toHaveAttribute('aria-rowcount', String(1 + 1_184 + rowsOfFirstPage()));
  });

  it('of more than 200,000 events has rows for the newest of them, and leads to the events before', async () => {
    const { user, sent } = await opened('', (request) => {
      const { url, params } = request;
      const reply = present(request);
      if (url.endsWith('/entitlements')) return { status: 200, data: { ...reply.data, revision: 250_000 } };
      if (url !== `${organization}/events`) return reply;
      const { data } = present({ ...request, params: { from: '1204', to: '1204' } });
      const [event] = (data as { events: readonly object[] }).events;
      const events = Array.from({ length: 100 }, (_, index) => ({ ...event, revision: Number(params['to']) - index }));
      return { status: 200, data: { events, next: null } };
    });
    const sentence = 'The list shows the events #50,001 to #250,000 of 250,001 events.';
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(await screen.findByText('#250,000')).toBeVisible();
    expect(await grid()).toHaveAttribute('aria-rowcount', '200001');
    expect(screen.queryByRole('button', { name: 'Later events' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Earlier events' }));
    expect(address()).toBe('/history?from=0&to=50000');
    await waitFor(() => expect(pagesSent(sent).at(-1)).toBe('49901-50000'));
    expect(screen.queryByText(sentence)).toBeNull();
  });

  it('shows the traffic reports of a month in one row, which a person can open', async () => {
    const { user } = await opened();
    const month = await screen.findAllByRole('button', { name: /traffic reports$/ });
    expect(screen.queryByText(/views reported for November/)).toBeNull();
    await user.click(month[0]!);
    expect((await screen.findAllByText(/views reported for November 2026/)).length).toBeGreaterThan(1);
    expect(month[0]).toHaveAttribute('aria-expanded', 'true');
  });

  it('shows in one row the events with which billing confirms a sale again; a person can open this row', async () => {
    const { user } = await opened('', withRepetitions(['SiteAdded']));
    const group = await screen.findByRole('button', { name: /Billing confirmed event 1,191 1\d times/ });
    expect(screen.queryByText('confirmed by billing, repeats #1,191')).toBeNull();
    await user.click(group);
    expect((await screen.findAllByText('confirmed by billing, repeats #1,191')).length).toBeGreaterThan(2);
    expect(group).toHaveAttribute('aria-expanded', 'true');
    await user.click(group);
    expect(screen.queryByText('confirmed by billing, repeats #1,191')).toBeNull();
  });

  it('marks an event with which billing confirms a sale', async () => {
    await opened('', withRepetitions(['MemberRemoved']));
    const mark = await screen.findByText('confirmed by billing, repeats #1,191');
    expect(within(mark.closest('tr')!).getByText('#1,283')).toBeVisible();
  });

  it('lets a person move between the rows and open an event by keyboard', async () => {
    const { user, container } = await opened();
    await screen.findByText(/Ben Okafor.* removed/);
    const focused = () => container.ownerDocument.activeElement?.getAttribute('aria-rowindex');
    rows()[0]!.focus();
    await user.keyboard('jj{ArrowDown}k');
    expect(focused()).toBe('4');
    await user.keyboard('{Home}{Enter}');
    expect(address()).toBe('/history/1283');
  });

  it('lets a person choose events by keyboard, and offers to compare the first and the last of them', async () => {
    const { user } = await opened();
    await screen.findByText(/Ben Okafor.* removed/);
    rows()[0]!.focus();
    await user.keyboard(' ');
    expect(screen.getByText('1 event chosen')).toBeVisible();
    await user.keyboard('{ArrowDown}{ArrowDown} ');
    expect(screen.getByRole('link', { name: 'Compare first and last' })).toHaveAttribute(
      'href',
      expect.stringContaining('&to=1283'),
    );
    expect(rows()[0]).toHaveAttribute('aria-selected', 'true');
  });

  it('lets a person choose events with the mouse', async () => {
    const { user } = await opened();
    await screen.findByText(/Ben Okafor.* removed/);
    await user.click(screen.getByRole('checkbox', { name: 'Choose event #1,283' }));
    expect(rows()[0]).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getAllByRole('checkbox')[1]!);
    expect(screen.getByRole('link', { name: 'Compare first and last' })).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'Choose event #1,283' }));
    expect(screen.getByText('1 event chosen')).toBeVisible();
  });

  it('changes the order when the person presses o, and stores the order in the address', async () => {
    const { user } = await opened();
    await screen.findByText(/Ben Okafor.* removed/);
    rows()[0]!.focus();
    await user.keyboard('o');
    expect(await screen.findByText(/Founded as/)).toBeVisible();
    expect(address()).toBe('/history?order=oldest');
    expect(rows()[0]).toHaveFocus();
  });

  it('keeps the focus on the button in its header when a person changes the order with this button', async () => {
    const { user } = await opened();
    await screen.findByText(/Ben Okafor.* removed/);
    await user.click(screen.getByRole('button', { name: 'Event' }));
    expect(await screen.findByText(/Founded as/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Event' })).toHaveFocus();
  });

  it('scrolls the page to the row that a key has moved the focus to', async () => {
    const scrolled = jest.spyOn(Element.prototype, 'scrollIntoView');
    const { user } = await opened();
    await screen.findByText(/Ben Okafor.* removed/);
    rows()[0]!.focus();
    await user.keyboard('j');
    expect(scrolled.mock.contexts).toEqual([rows()[1]]);
    expect(scrolled).toHaveBeenCalledWith({ block: 'nearest' });
    scrolled.mockRestore();
  });

  it('names the owners whom a member without the right to audit can ask, and requests no event', async () => {
    const { sent } = await opened('', (request) =>
      request.url.endsWith('/standing')
        ? { status: 200, data: { roles: ['member'], may: [], reads: ['document'], grants: [] } }
        : present(request),
    );
    expect(await screen.findByText('History is for owners and administrators. Ask Ada Jansen.')).toBeVisible();
    expect(pagesSent(sent)).toEqual([]);
  });

  it('says that a moment in force in the address does not end the list', async () => {
    await opened('?valid=2026-05-02T09:00:00.000Z');
    expect(await screen.findByText(/A moment in force does not end the list\.$/)).toBeVisible();
  });

  it('says for each event whether it contains the hash of the previous event, if the previous event is loaded', async () => {
    const { user } = await opened('', (request) => {
      const reply = present(request);
      const { events = [] } = (reply.data ?? {}) as { events?: { revision: number; metadata: object }[] };
      if (request.url !== `${organization}/events`) return reply;
      const other = ({ revision, metadata, ...rest }: (typeof events)[number]) => ({
        ...{ revision, ...rest },
        metadata: revision === HEAD - 2 ? { ...metadata, previousHash: '0'.repeat(64) } : metadata,
      });
      return { ...reply, data: { ...reply.data, events: events.map(other) } };
    });
    await grid();
    const rowOf = async (revision: string) => within((await screen.findByText(revision)).closest('tr')!);
    expect((await rowOf('#1,283')).getByText('follows on #1,282')).toBeInTheDocument();
    expect((await rowOf('#1,281')).getByText('does not follow on #1,280')).toBeInTheDocument();
    await user.type(screen.getByRole('combobox', { name: 'Filter' }), 'type:MemberRemoved{Enter}');
    expect((await rowOf('#1,283')).getByText(/the event before is not loaded/)).toBeInTheDocument();
  });

  it('ends at the moment of the page, and shows the number of later events', async () => {
    const { sent } = await opened('?asOf=1191');
    expect(await screen.findByText('92 later events are not recorded yet at this moment.')).toBeVisible();
    expect(await screen.findByText('Add-on Web analytics bought: 1')).toBeVisible();
    expect(screen.getByText(saying('in force from Apr 28, 2026, 12:00:00 AM UTC'))).toBeVisible();
    expect(pagesSent(sent)).toEqual(['1092-1191']);
  });
});

it('The history of a past moment offers to try again if the service does not say which event is the last', async () => {
  let isBroken = true;
  const { user } = await opened('?asOf=1191', (request) =>
    isBroken && request.url.endsWith('/entitlements') && request.params['asOf'] ? { status: 500 } : present(request),
  );
  expect(await screen.findByText('History: unavailable right now.')).toBeVisible();
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await grid();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
});

it('The history of now says so if the newest revision is unavailable, and loads it again', async () => {
  let isBroken = true;
  const { user } = await opened('', (request) =>
    isBroken && request.url.endsWith('/entitlements') ? { status: 500 } : present(request),
  );
  expect(await screen.findByText('History: unavailable right now.')).toBeVisible();
  isBroken = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await grid();
});

it('The history of a past moment shows no later events while its last event is unknown', async () => {
  const { user, sent } = await opened('', (request) =>
    request.params['asOf'] === '1191' && request.url.endsWith('/entitlements')
      ? new Promise(() => undefined)
      : present(request),
  );
  expect(await screen.findByText('#1,283')).toBeVisible();
  const requested = pagesSent(sent);
  await user.click(screen.getByText('an earlier moment'));
  expect(address()).toBe('/history?asOf=1191');
  expect(screen.queryByText('#1,283')).toBeNull();
  expect(pagesSent(sent)).toEqual(requested);
});

describe('The filter of the history', () => {
  const box = () => screen.findByRole('combobox', { name: 'Filter' });

  it('is stored in the page’s address as the query parameters that the API accepts', async () => {
    const { user, sent } = await opened();
    await user.type(await box(), 'type:plan actor:billing after:2026-01-01{Enter}');
    await waitFor(() =>
      expect(address()).toBe(
        '/history?type=PlanAssigned%2CPlanEnded%2CServiceLevelAssigned&actor=billing&from=2026-01-01T00%3A00%3A00.000Z',
      ),
    );
    expect(await box()).toHaveValue('type:plan actor:billing after:2026-01-01');
    await waitFor(() => expect(sent.at(-1)!.params).toMatchObject({ actor: 'billing', order: 'newest' }));
  });

  it('suggests values, which a person can choose with the arrow keys', async () => {
    const { user } = await opened();
    await user.type(await box(), 'type:mem');
    expect(screen.getByRole('option', { name: /type:members/ })).toBeVisible();
    await user.keyboard('{ArrowDown}{Enter}{Enter}');
    expect(await box()).toHaveValue('type:members');
    expect(address()).toContain('type=MemberAdded%2CMemberRoleChanged');
  });

  it('finds a removed member by the first name, with eight key presses in addition to the name', async () => {
    const FAY = '7c1e52f0-0000-4000-8000-00000000fa17';
    const { user, sent } = await opened('', (request) => {
      const { url, params } = request;
      const reply = present(request);
      if (url === `${organization}/names`) {
        const { names } = reply.data as { names: object };
        const fay = { name: 'Fay Former', as: 'former-member', erased: false };
        return { status: 200, data: { names: { ...names, [FAY]: fay } } };
      }
      if (url !== `${organization}/events` || params['type'] !== 'MemberRemoved') return reply;
      const { events } = reply.data as { events: readonly object[] };
      return { ...reply, data: { events: events.map((event) => ({ ...event, data: { member: FAY } })), next: null } };
    });
    await screen.findByText(/Ben Okafor.* removed/);
    expect(sent.filter(({ params }) => params['type'] === 'MemberRemoved')).toEqual([]);
    await user.keyboard('/about:fay{Enter}');
    await waitFor(() => expect(address()).toContain(`about=%2Fmembers%2F${FAY}`));
    expect(await box()).toHaveValue('about:"Fay Former"');
    expect(address()).not.toContain('Fay');
  });

  it('keeps the typed text when a name arrives, and shows the new filter after the address has changed', async () => {
    let answerNames: (() => void) | undefined;
    const { user } = await opened(`?actor=${BEN}`, (request) => {
      if (request.url.endsWith('/members/search'))
        return { status: 200, data: { ...memberPage, members: [], next: null, inAll: 0 } };
      if (request.url !== `${organization}/names`) return present(request);
      return new Promise((resolve) => (answerNames = () => resolve(present(request))));
    });
    await grid();
    await waitFor(async () => expect(await box()).toHaveValue(`actor:${BEN}`));
    await user.type(await box(), ' type:plan');
    await waitFor(() => expect(answerNames).toBeDefined());
    await act(async () => answerNames!());
    await screen.findAllByText(/Ben Okafor/);
    expect(await box()).toHaveValue(`actor:${BEN} type:plan`);
    await user.click(screen.getByRole('link', { name: 'an earlier moment' }));
    expect(await box()).toHaveValue('');
  });

  it('shows a name that arrives, unless the person types', async () => {
    await opened(`?actor=${BEN}`);
    await waitFor(async () => expect(await box()).toHaveValue('actor:"Ben Okafor"'));
  });

  it('names a typed word that it does not understand, and then does not change the list', async () => {
    const { user } = await opened();
    await user.type(await box(), 'type:Nonsense{Enter}');
    expect(screen.getByText('“type:Nonsense” names no type of event.')).toBeVisible();
    expect(address()).toBe('/history');
  });

  it('says so if no event matches, and can then be cleared', async () => {
    const { user } = await opened('?type=OrganizationClosed');
    expect(await screen.findByText('No event of this kind.', { exact: false })).toBeVisible();
    await user.click(screen.getAllByRole('button', { name: 'Clear filter' })[0]!);
    expect(address()).toBe('/history');
    expect(await box()).toHaveFocus();
    expect(await screen.findByText(/Ben Okafor.* removed/)).toBeVisible();
  });

  it('can be cleared if the service refuses the filter in the address', async () => {
    const { user } = await opened('?type=Nonsense', (request) =>
      request.params['type'] === 'Nonsense'
        ? { status: 400, data: { type: '/problems/invalid-request' } }
        : present(request),
    );
    expect(await screen.findByText('The address contains a filter that does not exist.')).toBeVisible();
    await user.click(screen.getAllByRole('button', { name: 'Clear filter' })[1]!);
    expect(await screen.findByText(/Ben Okafor.* removed/)).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });
});

describe('The page of an event', () => {
  it('shows the event as a sentence, with its moments and its actor', async () => {
    await opened('/1191');
    expect(await screen.findByRole('heading', { level: 1, name: 'Event #1,191' })).toBeVisible();
    expect(await screen.findByText('Add-on Web analytics bought: 1')).toBeVisible();
    expect(screen.getByText('Recorded').nextElementSibling).toHaveTextContent('May 2, 2026, 9:00:00 AM UTC');
    expect(screen.getByText('In force from').nextElementSibling).toHaveTextContent('Apr 28, 2026, 12:00:00 AM UTC');
    expect(screen.getByRole('link', { name: 'billing' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/history?actor=stripe`,
    );
    expect(screen.getByRole('link', { name: 'Look at that moment' })).toHaveAttribute(
      'href',
      `/org/${NORTHWIND}/overview?asOf=1191`,
    );
  });

  it('shows what the event changed since the revision before the event', async () => {
    const { sent } = await opened('/1191');
    expect(await screen.findByText('7 of 8', { exact: false })).toBeVisible();
    expect(sent.find(({ url }) => url.endsWith('/diff'))!.params).toEqual({ from: '1190', to: '1191' });
  });

  it('links each changed value to the event that caused the change, and to all values of the same field', async () => {
    await opened('/1191');
    const line = within((await screen.findByText(/Northwind GmbH/)).closest('li')!);
    expect(line.getByRole('link', { name: '#4' })).toBeVisible();
    expect(line.getByRole('link', { name: 'All values' }).getAttribute('href')).toMatch(/\/changes\?path=%2Fname$/);
  });

  it('compares the founding with the moment before the founding', async () => {
    const { sent } = await opened('/0');
    await screen.findByText('begins the history');
    expect(sent.find(({ url }) => url.endsWith('/diff'))!.params).toEqual({
      from: '2019-03-04T08:59:59.999Z',
      to: '0',
    });
  });

  it('lists the other events of the same request', async () => {
    await opened('/1188');
    expect(await screen.findByRole('link', { name: '#1,189' })).toBeVisible();
  });

  it('says that there are further events of the same request if the list is not complete', async () => {
    await opened('/1188', (request) => {
      const answer = present(request);
      if (!('correlation' in request.params)) return answer;
      return { ...answer, data: { ...(answer.data as object), next: 'more' } };
    });
    expect(
      await screen.findByText(/^The request caused more events\. This list contains its first \d+ events\.$/),
    ).toBeVisible();
  });

  it("computes the hash of the event in the browser, and checks that the event contains the previous event's hash", async () => {
    await opened('/1191');
    expect(await screen.findByText('computed here: the same')).toBeVisible();
    expect(await screen.findByText('follows on #1,190')).toBeVisible();
  });

  it('says that the hash does not match the data, and that the chain is broken, if the service sends such an event', async () => {
    await opened('/1191', (request) => {
      const answer = present(request);
      if (request.url !== `${organization}/events` || request.params['from'] !== '1191') return answer;
      const [event] = (answer.data as { events: { data: object; metadata: object }[] }).events;
      const metadata = { ...event!.metadata, previousHash: 'f'.repeat(64) };
      return { ...answer, data: { events: [{ ...event, metadata }], next: null } };
    });
    expect(await screen.findByText('computed here: another hash')).toBeVisible();
    expect(await screen.findByText('does not follow on #1,190')).toBeVisible();
  });

  it.each(['9999', 'nonsense'])('says that event %s does not exist, and links to all events', async (revision) => {
    await opened(`/${revision}`);
    expect(await screen.findByText('The history has no such event yet.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'All events' })).toBeVisible();
    expect(screen.queryByText(/NaN/)).toBeNull();
  });
});

describe('New events', () => {
  it('appear only after the person presses a button, so that no row moves before the press', async () => {
    let head = HEAD - 2;
    await opened('', (request) => {
      const answer = present(request);
      return request.url === `${organization}/entitlements`
        ? { ...answer, data: { ...answer.data, revision: head } }
        : answer;
    });
    await screen.findByText('#1,281');
    head = HEAD;
    fireEvent(window, new Event('focus'));
    const button = await screen.findByRole('button', { name: '2 new events ↑' });
    expect(screen.queryByText('#1,283')).toBeNull();
    fireEvent.click(button);
    expect(await screen.findByText('#1,283')).toBeVisible();
  });
});

const rowsOfFirstPage = () => Number(screen.getByRole('grid').getAttribute('aria-rowcount')) - 1 - 1_184;

/**
 * The sample answers with each event of these types replaced: in its place, billing confirms the purchase of event
 * 1,191 again.
 */
const withRepetitions = (types: readonly string[]) => (request: SentRequest) => {
  const reply = present(request);
  if (request.url !== `${organization}/events`) return reply;
  const page = reply.data as { events: readonly { type: string; metadata: object }[] };
  const data = { purchase: 'si_1', addOn: 'webAnalytics', quantity: 1, grants: { limits: {}, features: [] } };
  const events = page.events.map((event) =>
    types.includes(event.type)
      ? {
          ...{ ...event, type: 'AddOnPurchased', data, repeats: 1191 },
          metadata: { ...event.metadata, actor: { kind: 'billing', id: 'stripe' } },
        }
      : event,
  );
  return { ...reply, data: { ...page, events } };
};
