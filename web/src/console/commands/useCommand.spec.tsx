import { act, screen, waitFor } from '@testing-library/react';
import { useContext } from 'react';
import { Route, Routes } from 'react-router-dom';
import { answering, NORTHWIND, people } from '../../../../test/journeys/pages/samples';
import { useOrganizationQuery } from '../api';
import { LiveContext } from '../live/live-context';
import { PRESENT } from '../moment/page-moment';
import { type ConsoleReply, renderConsole, type SentRequest } from '../open.testing';
import { CommandNote } from './CommandNote';
import { useCommand } from './useCommand';

const organization = `/api/v1/organizations/${NORTHWIND}`;
const RECEIPT = { revision: 1284, events: [{ type: 'OrganizationRenamed', data: { name: 'New' } }] };
const UNAVAILABLE: ConsoleReply = { status: 503, data: { type: '/problems/unavailable' } };

/**
 * Opens a page with one button, which renames the organization. The service answers the changes with `replies`, in this
 * order.
 * @param counts the service answers with the counts of the organization after this promise
 */
async function opened(
  replies: readonly (() => ConsoleReply | Promise<ConsoleReply>)[],
  asked = () => ({ name: 'New' }),
  counts: Promise<unknown> = Promise.resolve(),
) {
  const waiting = [...replies];
  const answer = async ({ method, url, params, body }: SentRequest): Promise<ConsoleReply> => {
    if (method === 'PATCH') return waiting.shift()?.() ?? { status: 200, data: RECEIPT };
    if (url.endsWith('/entitlements')) await counts;
    const path = `${url}?${new URLSearchParams(params).toString()}`;
    const usual = answering(people.ada)({ method, path, body, xsrf: '' }) as { status: number; body: object };
    return { status: usual.status, data: usual.body };
  };
  const page = await renderConsole(
    <Routes>
      <Route path="/org/:id/*" element={<Page asked={asked} />} />
    </Routes>,
    { answer, path: `/org/${NORTHWIND}/settings` },
  );
  await screen.findByText('Rename');
  await waitFor(() => expect(page.sent.some(({ url }) => url.endsWith('/entitlements'))).toBe(true));
  await act(() => Promise.resolve());
  return { ...page, changes: () => page.sent.filter(({ method }) => method === 'PATCH') };
}

/** The functions `showNewest` that the page has got. A new function would restart the repetition of a commit. */
const shows = new Set<unknown>();

function Page({ asked }: Readonly<{ asked: () => object }>) {
  const command = useCommand(NORTHWIND);
  useOrganizationQuery({ id: NORTHWIND, moment: PRESENT });
  shows.add(useContext(LiveContext).showNewest);
  return (
    <>
      <button type="button" onClick={() => command.run({ method: 'PATCH', path: '', ask: asked })}>
        Rename
      </button>
      <output>{command.outcome.is}</output>
      <CommandNote command={command} />
    </>
  );
}

const press = (page: Awaited<ReturnType<typeof opened>>) => page.user.click(screen.getByText('Rename'));

describe('A change', () => {
  it('has its own `Idempotency-Key`, and names the revision that the person saw', async () => {
    const page = await opened([]);
    await press(page);
    expect(await screen.findByText('done')).toBeVisible();
    await press(page);
    await waitFor(() => expect(page.changes()).toHaveLength(2));
    const [first, second] = page.changes();
    expect(first).toMatchObject({ url: organization, body: { name: 'New' }, ifMatch: '"1283"' });
    expect(first!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(second!.key).not.toBe(first!.key);
  });

  it("names the revision in the service's answer to the previous change", async () => {
    const page = await opened([]);
    await press(page);
    expect(await screen.findByText('done')).toBeVisible();
    await press(page);
    await waitFor(() => expect(page.changes()[1]).toMatchObject({ ifMatch: '"1284"' }));
  });

  it('loads the rows again, and names the new revision later, if the change precedes the counts', async () => {
    const counts = Promise.withResolvers<undefined>();
    shows.clear();
    const page = await opened([], undefined, counts.promise);
    await press(page);
    expect(await screen.findByText('done')).toBeVisible();
    await act(async () => {
      counts.resolve(undefined);
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    const reads = () => page.sent.filter(({ method, url }) => method === 'GET' && url === organization);
    await waitFor(() => expect(reads()).toHaveLength(2));
    expect(shows.size).toBe(1);
    await press(page);
    await waitFor(() => expect(page.changes()[1]).toMatchObject({ ifMatch: '"1284"' }));
  });

  it.each([
    ['no answer', () => Promise.reject(new Error('offline'))],
    ['an answer that leaves the outcome open', () => UNAVAILABLE],
  ])('is repeated with the same `Idempotency-Key` and the same body after %s', async (_, reply) => {
    let asked = 0;
    const page = await opened([reply], () => ({ name: `Name ${(asked += 1)}` }));
    await press(page);
    expect(await screen.findByText(/^We do not know whether it happened/)).toBeVisible();
    await press(page);
    expect(page.changes()).toHaveLength(1);
    await page.user.click(screen.getByText('Ask again now'));
    expect(await screen.findByText('done')).toBeVisible();
    const [first, second] = page.changes();
    expect(second).toEqual(first);
    expect(page.changes()).toHaveLength(2);
  });

  it('is repeated without another press of the button if the service is unavailable', async () => {
    const page = await opened([() => ({ ...UNAVAILABLE, headers: { 'retry-after': '1' } })]);
    await press(page);
    expect(await screen.findByText('done')).toBeVisible();
    expect(page.changes()).toHaveLength(2);
  });

  it('is repeated with the same `Idempotency-Key` even after a repetition got the status 429', async () => {
    const page = await opened([
      () => ({ ...UNAVAILABLE, headers: { 'retry-after': '1' } }),
      () => ({ status: 429, headers: { 'retry-after': '1' }, data: { type: '/problems/too-many-attempts' } }),
    ]);
    await press(page);
    await waitFor(() => expect(page.changes()).toHaveLength(2));
    expect(await screen.findByText('done')).toBeVisible();
    const [first, second, third] = page.changes();
    expect([second, third]).toEqual([first, first]);
  });

  it.each([403, 404])('still has an unknown outcome if the service answers %i to a repetition', async (status) => {
    const page = await opened([() => UNAVAILABLE, () => ({ status, data: { type: '/problems/not-found' } })]);
    await press(page);
    await page.user.click(await screen.findByText('Ask again now'));
    expect(await screen.findByText(/^We do not know whether the change happened, and you no longer/)).toBeVisible();
    expect(screen.getByRole('alert')).not.toHaveTextContent('no such organization');
    expect(screen.queryByText('Ask again now')).toBeNull();
  });

  it('is refused if the service says at a repetition that the password is wrong', async () => {
    const page = await opened([() => UNAVAILABLE, () => ({ status: 403, data: { type: '/problems/wrong-password' } })]);
    await press(page);
    await page.user.click(await screen.findByText('Ask again now'));
    expect(await screen.findByText('refused')).toBeVisible();
    expect(screen.queryByText(/^We do not know whether the change happened/)).toBeNull();
  });

  it('is not repeated by `useCommand` after the component of the page is unmounted', async () => {
    const page = await opened([() => UNAVAILABLE, () => UNAVAILABLE]);
    await press(page);
    await screen.findByText(/^We do not know/);
    jest.useFakeTimers();
    page.unmount();
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    jest.useRealTimers();
    expect(page.changes()).toHaveLength(1);
  });

  it('shows the newer events if its revision is stale, and names the newest revision at the next press', async () => {
    const stale = { status: 412, data: { type: '/problems/stale', revision: 1284 } };
    const page = await opened([() => stale]);
    await press(page);
    expect(await screen.findByText(/^Nothing was changed, because other changes came first/)).toBeVisible();
    const reads = () => page.sent.filter(({ url }) => url.endsWith('/events')).map(({ params }) => params);
    await waitFor(() => expect(reads()).toEqual([{ from: '1284', to: '1284' }]));
    await press(page);
    expect(await screen.findByText('done')).toBeVisible();
    const [first, second] = page.changes();
    expect(second!.key).not.toBe(first!.key);
    expect(second!.ifMatch).toBe('"1284"');
  });

  it('shows why the service refuses it, in one alert', async () => {
    const page = await opened([() => ({ status: 409, data: { type: '/problems/last-owner', instance: 'r1' } })]);
    await press(page);
    const refusal = 'This person is the last owner.Make another member an owner first.';
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(refusal));
  });

  it('is not sent while the browser is offline, and the next press sends it', async () => {
    const page = await opened([]);
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await press(page);
    expect(await screen.findByRole('alert')).toHaveTextContent(/^You are offline, so this page has sent nothing/);
    expect(page.changes()).toEqual([]);
    online.mockRestore();
    await press(page);
    expect(await screen.findByText('done')).toBeVisible();
    expect(page.changes()).toHaveLength(1);
  });

  it('still has an unknown outcome if the browser goes offline after the first request', async () => {
    const page = await opened([() => UNAVAILABLE]);
    await press(page);
    await screen.findByText(/^We do not know/);
    const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await page.user.click(screen.getByRole('button', { name: 'Ask again now' }));
    expect(screen.getByText(/^We do not know/)).toBeVisible();
    expect(page.changes()).toHaveLength(1);
    online.mockRestore();
    await page.user.click(screen.getByRole('button', { name: 'Ask again now' }));
    expect(await screen.findByText('done')).toBeVisible();
    const [first, second] = page.changes();
    expect(second!.key).toBe(first!.key);
  });

  it('shows the id of its request if the page does not know the reason of the refusal', async () => {
    const page = await opened([
      () => ({ status: 409, data: { type: '/problems/brand-new', title: 'Brand new', instance: 'r1' } }),
    ]);
    await press(page);
    expect(await screen.findByText(/Brand new/)).toBeVisible();
    expect(screen.getByText('r1')).toBeVisible();
  });
});
