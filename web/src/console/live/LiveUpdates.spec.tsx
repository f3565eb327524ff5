import type { Entitlements, OrganizationDocument } from '@charter/client';
import { act, screen, waitFor, within } from '@testing-library/react';
import { useContext } from 'react';
import { Link } from 'react-router-dom';
import { answering, NORTHWIND, people, rightsOf } from '../../../../test/journeys/pages/samples';
import { memberPage } from '../../../../test/journeys/pages/samples/lists';
import { assignSolo, committed, soloPreview } from '../../../../test/journeys/pages/samples/previews';
import { draftAddress } from '../draft/address/draft-address';
import { DataWarnings } from '../frame/DataWarnings';
import { Top } from '../frame/Top';
import { answeringAs, type ConsoleReply, renderConsole, type SentRequest } from '../open.testing';
import { openOrganization } from '../organization/open-organization.testing';
import { LiveContext, type LivePage } from './live-context';
import LiveSign from './LiveSign';
import { NewEventsButton } from './NewEventsButton';

const POLLING_MS = 15_000;
const organization = `/api/v1/organizations/${NORTHWIND}`;
const usual = (path: string) =>
  (answering(people.ada)({ method: 'GET', path, body: undefined, xsrf: '' }) as { body: object }).body;
const asMember = { organization: NORTHWIND, roles: ['member'], may: [], reads: ['document', 'names'], grants: [] };

/**
 * Answers for an organization that another person changes. `add` records some events; the last of them adds a member.
 */
function growing() {
  const entitlements = usual(`${organization}/entitlements`) as Entitlements;
  const document = usual(organization) as Readonly<{ members: readonly object[] }>;
  const { members } = memberPage;
  let added = 0;
  const answer = ({ url, ifNoneMatch }: SentRequest): ConsoleReply | undefined => {
    const users = { ...entitlements.limits.users, used: 7 + added };
    const etag = `"${added}"`;
    if (url === `${organization}/entitlements`)
      return ifNoneMatch === etag
        ? { status: 304 }
        : {
            status: 200,
            headers: { etag },
            data: {
              ...{ ...entitlements, revision: 1283 + added },
              limits: { ...entitlements.limits, users },
            },
          };
    if (added > 0 && url === organization)
      return {
        status: 200,
        data: { ...document, members: [...document.members, { ...document.members[1], _id: NEW }] },
      };
    if (added > 0 && url === `${organization}/members`)
      return { status: 200, data: { ...memberPage, members: [...members, { ...members[1], user: NEW }], inAll: 6 } };
    return undefined;
  };
  return {
    asOwner: answer,
    asMember: (request: SentRequest) =>
      request.url.endsWith('/standing') ? { status: 200, data: asMember } : answer(request),
    add: (events: number) => void (added += events),
  };
}
const NEW = '7c1e52f0-0000-4000-8000-0000000000ff';

/** The button for new events, which is in the time bar of a person who may read the history. */
function NewEvents() {
  const { count, show: showNew } = useContext(LiveContext);
  return <NewEventsButton count={count} onShow={showNew} />;
}

/** Passes the values of the present page on. */
function LiveProbe({ onClick }: Readonly<{ onClick: (live: LivePage) => void }>) {
  const live = useContext(LiveContext);
  return (
    <button type="button" onClick={() => onClick(live)}>
      Begin a change
    </button>
  );
}

const rows = () => screen.getAllByRole('row').slice(1);
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const show = (visibility: DocumentVisibilityState) => {
  Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
  act(() => void window.dispatchEvent(new Event('visibilitychange')));
};
const entitlementsSent = (sent: readonly SentRequest[]) =>
  sent.filter(({ url, params }) => url === `${organization}/entitlements` && params['asOf'] === undefined);

beforeEach(() => void jest.useFakeTimers({ advanceTimers: true }));
afterEach(() => {
  show('visible');
  jest.useRealTimers();
});

describe('A page without a change feed', () => {
  it('shows a new plan on the overview together with the limits of this plan', async () => {
    const entitlements = usual(`${organization}/entitlements`) as Entitlements;
    const document = usual(organization) as OrganizationDocument;
    const solo = { ...document, plans: { ...document.plans, second: { ...document.plans.second, plan: 'solo' } } };
    const users = { ...entitlements.limits.users, limit: 2, over: 5 };
    let isSmaller = false;
    await openOrganization('/overview', ({ url }) => {
      if (url.endsWith('/standing')) return { status: 200, data: asMember };
      if (!isSmaller) return undefined;
      if (url === organization) return { status: 200, data: solo };
      if (url !== `${organization}/entitlements`) return undefined;
      return { status: 200, data: { ...entitlements, revision: 1284, limits: { ...entitlements.limits, users } } };
    });
    expect(await screen.findByRole('heading', { name: 'Pulse Teams' })).toBeVisible();
    isSmaller = true;
    await pass(POLLING_MS);
    expect(await screen.findByText(/7 of 2: over by 5/)).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Pulse Solo' })).toBeVisible();
  });

  it('changes its counts in place, and adds rows only after the person presses a button', async () => {
    const { asMember: only, add } = growing();
    const { user } = await openOrganization('/members', only);
    expect(await screen.findByText('7 of 8')).toBeVisible();
    await waitFor(() => expect(rows()).toHaveLength(5));
    add(2);
    await pass(POLLING_MS);
    expect(await screen.findByText('9 of 8')).toBeVisible();
    expect(rows()).toHaveLength(5);
    const [waiting] = screen.getAllByRole('status').filter((one) => within(one).queryByRole('button'));
    await user.click(within(waiting!).getByRole('button', { name: '2 new events ↑' }));
    await waitFor(() => expect(rows()).toHaveLength(6));
    expect(screen.queryByRole('button', { name: /new event/ })).toBeNull();
  });

  it('shows new rows without a button after the person opens another page', async () => {
    const { asMember: only, add } = growing();
    const { user } = await openOrganization('/members', only);
    await waitFor(() => expect(rows()).toHaveLength(5));
    add(1);
    await pass(POLLING_MS);
    await screen.findByRole('button', { name: '1 new event ↑' });
    const page = (name: string) => within(screen.getByRole('navigation')).getByRole('link', { name });
    await user.click(page('Sites'));
    await waitFor(() => expect(screen.queryByRole('button', { name: '1 new event ↑' })).toBeNull());
    await user.click(page('Members'));
    await waitFor(() => expect(rows()).toHaveLength(6));
  });

  it.each([
    ['has got the new head', false],
    ['is still waiting for the new head', true],
  ])(
    'does not count the events of a commit as new after it %s: the next change names their revision',
    async (_, isSlow) => {
      const { hash } = new URL(await draftAddress(NORTHWIND, [assignSolo]), 'http://pages');
      const heads = Promise.withResolvers<undefined>();
      let head = 1283;
      const { user, sent } = await openOrganization(`/draft${hash}`, ({ method, url }) => {
        if (url.endsWith('/commands')) return { status: 200, data: { ...committed, revision: (head = 1284) } };
        if (method === 'PATCH') return { status: 200, data: { ...committed, revision: (head = 1285) } };
        if (url.endsWith('/preview')) return { status: 200, data: soloPreview };
        if (url.endsWith('/standing')) return { status: 200, data: rightsOf.operator };
        if (head === 1283 || url !== `${organization}/entitlements`) return undefined;
        const entitlements = { ...(usual(url) as Entitlements), revision: head };
        return (isSlow ? heads.promise : Promise.resolve()).then(() => ({ status: 200, data: entitlements }));
      });
      expect(entitlementsSent(sent)).toHaveLength(1);
      await user.click(await screen.findByRole('button', { name: /^Commit exactly this/ }));
      await screen.findByText('1 event, #1,284');
      await pass(100);
      expect(entitlementsSent(sent)).toHaveLength(2);
      await user.click(screen.getByRole('link', { name: 'Members' }));
      await user.click(await screen.findByRole('button', { name: 'Change Ben Okafor' }));
      expect(screen.queryByRole('button', { name: '1 new event ↑' })).toBeNull();
      await user.click(screen.getByRole('menuitemradio', { name: 'Owner' }));
      await waitFor(() => expect(sent.find(({ method }) => method === 'PATCH')).toMatchObject({ ifMatch: '"1284"' }));
      await act(async () => heads.resolve(undefined));
      expect(screen.queryByRole('button', { name: '1 new event ↑' })).toBeNull();
    },
  );

  it('shows new rows without a button after the person opens the list of organizations and comes back', async () => {
    const { asMember: only, add } = growing();
    const links = (
      <>
        <Link to="/">All organizations</Link>
        <Link to={`/org/${NORTHWIND}/overview`}>Northwind</Link>
      </>
    );
    const { user } = await openOrganization('/members', only, links);
    await waitFor(() => expect(rows()).toHaveLength(5));
    add(1);
    await pass(POLLING_MS);
    await screen.findByRole('button', { name: '1 new event ↑' });
    await user.click(screen.getByRole('link', { name: 'All organizations' }));
    expect(screen.queryByRole('navigation')).toBeNull();
    await user.click(screen.getByRole('link', { name: 'Northwind' }));
    await user.click(within(await screen.findByRole('navigation')).getByRole('link', { name: 'Members' }));
    await waitFor(() => expect(rows()).toHaveLength(6));
    expect(screen.queryByRole('button', { name: /new event/ })).toBeNull();
  });

  describe('after the person has left the organization during a change', () => {
    /** The organization Northwind with a second id. */
    const OTHER = '7c1e52f0-4b1d-4a57-9d0e-2f3b9a6c1d11';
    /** Opens Northwind, keeps the function that the end of a change calls, and opens another address. */
    async function leftFor(address: string) {
      const { asMember: only, add } = growing();
      let showNewest: LivePage['showNewest'] | undefined;
      const beside = (
        <>
          <LiveProbe onClick={(live) => ({ showNewest } = live)} />
          <Link to={address}>Leave</Link>
        </>
      );
      const answer = (request: SentRequest) => {
        const known = { ...request, url: request.url.replace(OTHER, NORTHWIND) };
        return only(known) ?? answeringAs(people.ada)(known);
      };
      const { user, sent } = await openOrganization('/members', answer, beside);
      await waitFor(() => expect(rows()).toHaveLength(5));
      await user.click(screen.getByRole('button', { name: 'Begin a change' }));
      await user.click(screen.getByRole('link', { name: 'Leave' }));
      return { sent, add, endChange: () => act(() => showNewest!(1283)) };
    }

    it('loads the counts, so that they are current when the person returns', async () => {
      const { sent, endChange } = await leftFor('/');
      const before = sent.length;
      await endChange();
      expect(sent.slice(before).map(({ url }) => url)).toEqual([`${organization}/entitlements`]);
    });

    it('does not count the new events of the newly opened organization as seen', async () => {
      const { add, endChange } = await leftFor(`/org/${OTHER}/members`);
      await waitFor(() => expect(rows()).toHaveLength(5));
      add(1);
      await pass(POLLING_MS);
      await screen.findByRole('button', { name: '1 new event ↑' });
      await endChange();
      expect(screen.getByRole('button', { name: '1 new event ↑' })).toBeVisible();
    });
  });

  it('shows the limits in force at a moment again after the person asks for the new events', async () => {
    const { asOwner, add } = growing();
    const { user } = await openOrganization('/members?valid=2026-05-02T00:00:00.000Z', asOwner, <NewEvents />);
    expect(await screen.findByText('7 of 8')).toBeVisible();
    add(2); // the events take effect before the moment
    await pass(POLLING_MS);
    expect(await screen.findByText('7 (now 9) of 8')).toBeVisible();
    await user.click(screen.getByRole('button', { name: '2 new events ↑' }));
    expect(await screen.findByText('9 of 8')).toBeVisible();
  });

  it('sends one request every 15 seconds with the entity tag of the last answer', async () => {
    const { asMember: only } = growing();
    const { sent } = await openOrganization('/overview', only);
    await screen.findByText('Matomo integration');
    await waitFor(() => expect(sent.some(({ url }) => url.endsWith('/standing'))).toBe(true));
    await pass(100);
    const before = sent.length;
    await pass(2 * POLLING_MS);
    expect(sent.slice(before).map(({ url, ifNoneMatch }) => [url, ifNoneMatch])).toEqual([
      [`${organization}/entitlements`, '"0"'],
      [`${organization}/entitlements`, '"0"'],
    ]);
  });

  it('sends no request while its tab is hidden', async () => {
    const { asMember: only } = growing();
    const { sent } = await openOrganization('/overview', only);
    await screen.findByText('Matomo integration');
    await pass(100);
    show('hidden');
    const before = sent.length;
    await pass(3 * POLLING_MS);
    expect(sent).toHaveLength(before);
    show('visible');
    await pass(POLLING_MS);
    expect(entitlementsSent(sent.slice(before))).not.toHaveLength(0);
  });
});

describe('A page that gets its events from the feed of another tab', () => {
  const ANSWER_MS = 100;
  let feed: BroadcastChannel;
  beforeEach(() => {
    // another tab holds the Web Lock for as long as the page is open
    Object.defineProperty(navigator, 'locks', { value: { request: () => new Promise(() => {}) }, configurable: true });
    feed = new BroadcastChannel(`charter-feed-p-${NORTHWIND}`);
  });
  afterEach(() => {
    feed.close();
    Reflect.deleteProperty(navigator, 'locks');
  });
  /** Opens the overview. Its counts stay older than the newest event of the feed. */
  async function openBehind() {
    const { asOwner, add } = growing();
    const joined = new Promise((resolve) => feed.addEventListener('message', resolve, { once: true }));
    const answer = async (request: SentRequest) => {
      if (entitlementsSent([request]).length > 0) await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      return asOwner(request) ?? answeringAs(people.ada)(request);
    };
    const { sent } = await openOrganization('/overview', answer, <LiveSign />);
    await act(() => joined);
    const receive = async (...messages: readonly object[]) => {
      for (const message of messages) feed.postMessage(message);
      await pass(100);
    };
    await receive({ kind: 'event', position: { revision: 1290, cursor: 'cursor-1290' } });
    const sentWithin = async (ms: number) => {
      const before = sent.length;
      // React renders the page at the end of each `pass`, also while a request waits for its answer
      for (let passed = 0; passed < ms; passed += ANSWER_MS / 2) await pass(ANSWER_MS / 2);
      return entitlementsSent(sent.slice(before)).length;
    };
    return { receive, add, sentWithin };
  }
  const state = (name: string) => ({ kind: 'state', state: name });

  it('sends ever fewer requests while the answers lack the newest event of the feed', async () => {
    const { receive, add, sentWithin } = await openBehind();
    await receive(state('live'));
    expect(await sentWithin(4 * POLLING_MS)).toBeLessThanOrEqual(10);
    add(7);
    expect(await sentWithin(2 * POLLING_MS)).toBeLessThanOrEqual(2);
    add(1);
    await receive({ kind: 'event', position: { revision: 1291, cursor: 'cursor-1291' } });
    expect(await sentWithin(1_000)).toBe(1);
    expect(await sentWithin(POLLING_MS)).toBe(0);
  });

  it('sends no more requests after the service says that its store was restored', async () => {
    const { receive, sentWithin } = await openBehind();
    await receive(state('reconnecting'), state('restored'));
    expect(await screen.findByText('stopped')).toBeVisible();
    expect(await sentWithin(2 * POLLING_MS)).toBe(0);
  });
});

it('A page says that the browser is now logged in with another account, as soon as its tab has the focus again', async () => {
  let me: object = people.ada;
  await renderConsole(<DataWarnings />, {
    answer: ({ url }) => ({ status: 200, data: url === '/api/v1/me' ? me : {} }),
  });
  await pass(100);
  expect(screen.queryByRole('button', { name: 'Reload' })).toBeNull();
  me = { ...people.ada, id: 'q', name: 'Ben Okafor' };
  show('hidden');
  show('visible');
  expect(await screen.findByText(/This browser is now logged in as .*Ben Okafor/)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible();
});

describe('The text in the header about live updates', () => {
  const open = (only?: (request: SentRequest) => ConsoleReply | undefined) =>
    renderConsole(
      <>
        <Top />
        <DataWarnings />
      </>,
      {
        path: `/org/${NORTHWIND}/overview`,
        answer: (request) =>
          only?.(request) ?? {
            status: 200,
            data: usual(`${request.url}?${new URLSearchParams(request.params).toString()}`),
          },
      },
    );

  it('says that the page asks for new events every 15 seconds', async () => {
    await open(growing().asMember);
    expect(await screen.findByText('checks every 15 s')).toBeVisible();
  });

  it('says that the page connects again while the service does not answer, also during the next request', async () => {
    let isDown = false;
    const { asMember: only } = growing();
    await open((request) => (isDown ? { status: 503 } : only(request)));
    await screen.findByText('checks every 15 s');
    isDown = true;
    await pass(POLLING_MS);
    expect(await screen.findByText('reconnecting')).toBeVisible();
    isDown = false;
    await pass(POLLING_MS);
    expect(await screen.findByText('checks every 15 s')).toBeVisible();
  });

  it('says that the browser is offline, and later how the page gets new events again', async () => {
    await open();
    await screen.findByText('checks every 15 s');
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByText('offline')).toBeVisible();
    online.mockRestore();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(await screen.findByText('checks every 15 s')).toBeVisible();
  });

  it('is absent on pages that belong to no organization', async () => {
    await renderConsole(<Top />, { path: '/me' });
    await pass(100);
    expect(screen.queryByText('checks every 15 s')).toBeNull();
  });
});
