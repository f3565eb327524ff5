import { act, screen, waitFor } from '@testing-library/react';
import { NORTHWIND } from '../../../../test/journeys/pages/samples';
import { SHOP } from '../../../../test/journeys/pages/samples/lists';
import { type ConsoleReply, nextFrames } from '../open.testing';
import { openOrganization } from './open-organization.testing';

const pause = (status: number, seconds: number): ConsoleReply => ({
  status,
  data: { type: '/problems/too-many-at-once', instance: 'a-request' },
  headers: { 'retry-after': String(seconds) },
});
const seconds = (count: number) => act(() => jest.advanceTimersByTimeAsync(count * 1_000));
const waits = () => screen.queryAllByText(/^The service has asked this page to wait\. The page asks again in/);

describe('A page about a past moment, while the service asks the page to wait', () => {
  beforeEach(() => void jest.useFakeTimers({ advanceTimers: true }));
  afterEach(() => jest.useRealTimers());

  it.each([429, 503])(
    'shows one countdown after the status %d, and asks the service again until the service answers',
    async (status) => {
      let refusals = 4;
      const { sent } = await openOrganization('/overview?asOf=1191', ({ params }) =>
        params['asOf'] !== undefined && refusals-- > 0 ? pause(status, 20) : undefined,
      );
      await act(() => jest.advanceTimersByTimeAsync(100));
      expect(waits()).toHaveLength(2); // one visible countdown, and one for screen readers
      expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
      const ofThePast = () => sent.filter(({ params }) => params['asOf'] !== undefined).length;
      const before = ofThePast();
      await seconds(19);
      expect(ofThePast()).toBe(before);
      await seconds(2);
      expect(waits()).toHaveLength(2);
      await seconds(21);
      expect(waits()).toHaveLength(0);
      expect(await screen.findByText('Matomo integration')).toBeVisible();
    },
  );
});

describe('A page of an organization, while the service does not say what the person may do', () => {
  const STANDING = /\/standing$/;

  it('says so, and shows the page after the person has pressed the button to try again', async () => {
    let isBroken = true;
    const { user } = await openOrganization('/readers', ({ url }) =>
      isBroken && STANDING.test(url) ? { status: 500 } : undefined,
    );
    expect(await screen.findByText('Permissions: unavailable right now.')).toBeVisible();
    isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('grid', { name: 'Readers' })).toBeVisible();
    expect(screen.queryByText('Permissions: unavailable right now.')).toBeNull();
  });

  it('says that there is no organization for the person, if the person has lost the access to it', async () => {
    let isMember = true;
    await openOrganization('/members', ({ url }) =>
      !isMember && url.includes('/organizations/') ? { status: 404 } : undefined,
    );
    expect(await screen.findByText('Ben Okafor')).toBeVisible();
    isMember = false;
    act(() => void window.dispatchEvent(new Event('visibilitychange')));
    expect(await screen.findByText(/There is no organization here/)).toBeVisible();
    expect(screen.queryByText('Permissions: unavailable right now.')).toBeNull();
  });

  it('shows one countdown if the service asks the page to wait', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    let refusals = 1;
    await openOrganization('/readers', ({ url }) =>
      STANDING.test(url) && refusals-- > 0 ? pause(503, 20) : undefined,
    );
    await act(() => jest.advanceTimersByTimeAsync(100));
    expect(waits()).toHaveLength(2); // one visible countdown, and one for screen readers
    await seconds(21);
    expect(await screen.findByRole('grid', { name: 'Readers' })).toBeVisible();
    jest.useRealTimers();
  });
});

describe('A page whose request for a part failed', () => {
  const organization = `/api/v1/organizations/${NORTHWIND}`;

  it.each([
    ['/overview', `${organization}/entitlements`],
    ['/overview', organization],
    ['/overview?asOf=1191', `${organization}/entitlements`],
    ['/settings', '/api/v1/me'],
    ['/settings', `${organization}/notification-recipients`],
    ['/members', '/api/v1/catalogue'],
    ['/plan', '/api/v1/catalogue'],
    ['/plan', `${organization}/events`],
    [`/sites/${SHOP}`, `${organization}/sites/${SHOP}`],
    ['/proof', `${organization}/timeline`],
  ])('keeps its other parts in view while it repeats the request: %s, %s', async (path, part) => {
    const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
    let answer: ConsoleReply | Promise<ConsoleReply> = { status: 500 };
    const { sent, container } = await openOrganization(path, ({ url, params }) =>
      url === part && params['asOf'] === undefined ? answer : undefined,
    );
    const isWaiting = () => container.querySelector('[data-waits]') !== null;
    await waitFor(() => expect(isWaiting()).toBe(false));
    await waitFor(() => expect(sent.some(({ url }) => url === part)).toBe(true));
    answer = promise;
    sent.length = 0;
    act(() => void window.dispatchEvent(new Event('online')));
    await waitFor(() => expect(sent.some(({ url }) => url === part)).toBe(true));
    await nextFrames();
    expect(isWaiting()).toBe(false);
    await act(async () => resolve({ status: 500 }));
  });
});

it('A page about a moment before the founding does not say that the organization is missing while the service does not answer', async () => {
  let isBroken = true;
  const { user } = await openOrganization('/overview?asOf=1999-01-01T00:00:00Z', ({ url, params }) => {
    if (params['asOf'] !== undefined) return { status: 404, data: { type: '/problems/no-such-organization' } };
    return isBroken && /organizations\/[^/]+$/.test(url) ? { status: 500 } : undefined;
  });
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(screen.queryByText(/There is no organization here/)).toBeNull();
  isBroken = false;
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(/The organization was founded on/)).toBeVisible();
});
