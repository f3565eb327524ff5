import { screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { rightsOf } from '../../../../../test/journeys/pages/samples';
import { BEN } from '../../../../../test/journeys/pages/samples/lists';
import type { ConsoleReply, SentRequest } from '../../open.testing';
import { openOrganization } from '../../organization/open-organization.testing';

const UNAVAILABLE: ConsoleReply = { status: 503, data: { type: '/problems/unavailable' } };
const DONE: ConsoleReply = {
  status: 200,
  data: { revision: 1284, events: [{ type: 'ProductUserUnflagged', data: { member: BEN } }] },
};
const isChange = ({ method, url }: SentRequest) => method !== 'GET' && /\/(members(\/[^/]+)?|parallel-use)$/.test(url);
const stored = () => Object.keys(sessionStorage).map((name) => sessionStorage.getItem(name));
const changesIn = (sent: readonly SentRequest[]) => sent.filter(isChange);

/** Opens a page for an owner. `reply` answers each change. */
const opened = (path: string, reply: ConsoleReply, beside?: ReactNode) =>
  openOrganization(
    path,
    (request) => {
      if (request.url.endsWith('/standing')) return { status: 200, data: rightsOf.owner };
      return isChange(request) ? reply : undefined;
    },
    beside,
  );

/** Changes on the page of members whether Ben is a product user. The outcome of this change stays open. */
async function begun() {
  const page = await opened('/members', UNAVAILABLE);
  await page.user.click(await screen.findByRole('button', { name: 'Change Ben Okafor' }));
  await page.user.click(await screen.findByRole('menuitemcheckbox', { name: 'Pulse user' }));
  await screen.findByText('We do not know whether it happened. The page asks the service again.');
  const [first] = changesIn(page.sent);
  page.unmount(); // as a reload or a visit of the log-in page does
  return first!;
}

describe('A change whose outcome is open', () => {
  it('is sent again with the same `Idempotency-Key` after a reload, also on another page of the organization', async () => {
    const first = await begun();
    const { sent } = await opened('/sites', DONE);
    expect(await screen.findByText(/^The change that you began before is executed: /)).toBeVisible();
    expect(changesIn(sent)).toEqual([first]);
    expect(sessionStorage).toHaveLength(0);
  });

  it('is sent again with the same `Idempotency-Key` after a new sign-in, if the session ended before the outcome was known', async () => {
    const first = await begun();
    const signedOut = await opened('/members', { status: 401, data: { type: '/problems/unauthorized' } });
    await waitFor(() => expect(changesIn(signedOut.sent)).toEqual([first]));
    signedOut.unmount();
    const { sent } = await opened('/members', DONE);
    expect(await screen.findByText(/^The change that you began before is executed: /)).toBeVisible();
    expect(changesIn(sent)).toEqual([first]);
  });

  it('is sent again with the same `Idempotency-Key` if its control disappears, because the page shows a moment of the past', async () => {
    const past = <Link to="?asOf=1191">Back in time</Link>;
    const { user, sent } = await opened('/settings', UNAVAILABLE, past);
    await user.selectOptions(await screen.findByLabelText('New value of Parallel use'), 'no');
    await user.click(screen.getByRole('button', { name: 'Save Parallel use' }));
    await screen.findByText('We do not know whether it happened. The page asks the service again.');
    await user.click(screen.getByText('Back in time'));
    await waitFor(() => expect(changesIn(sent)).toHaveLength(2));
    const [first, second] = changesIn(sent);
    expect(second).toEqual(first);
  });

  describe('and whose request contains a typed name', () => {
    /** Saves a new name on the page of settings, and opens another page before the service answers. */
    async function left(answer: ConsoleReply) {
      const unanswered = new Promise<ConsoleReply>(() => undefined);
      const answers = [unanswered, answer];
      const { user, sent } = await openOrganization('/settings', ({ method, url }) => {
        if (url.endsWith('/standing')) return { status: 200, data: rightsOf.owner };
        return method === 'PATCH' ? answers.shift() : undefined;
      });
      const field = await screen.findByLabelText('New name');
      await user.clear(field);
      await user.type(field, 'Southwind{Enter}');
      expect(stored().join('')).toContain('"isIncomplete":true');
      expect(stored().join('')).not.toContain('Southwind');
      const pages = within(screen.getByRole('navigation', { name: 'Pages of the organization' }));
      await user.click(pages.getByRole('link', { name: 'Members' }));
      return { renames: () => sent.filter(({ method }) => method === 'PATCH') };
    }

    it('is sent again after the person opens another page, although the browser has not stored the name', async () => {
      const { renames } = await left(DONE);
      expect(await screen.findByText(/^The change that you began before is executed: /)).toBeVisible();
      const [first, second] = renames();
      expect(first).toMatchObject({ body: { name: 'Southwind' } });
      expect(second).toEqual(first);
      expect(screen.queryByText(/we do not know whether it happened/)).toBeNull();
    });

    it('shows on the other page why the service refuses it', async () => {
      await left({ status: 409, data: { type: '/problems/organization-closed' } });
      expect(await screen.findByText(/^The organization is closed/)).toBeVisible();
    });
  });

  it('is not sent again after the service has refused it', async () => {
    await begun();
    const { unmount } = await opened('/members', { status: 409, data: { type: '/problems/organization-closed' } });
    expect(await screen.findByText(/^The organization is closed/)).toBeVisible();
    unmount();
    const { sent } = await opened('/members', DONE);
    await screen.findByRole('heading', { name: 'Members' });
    expect(changesIn(sent)).toEqual([]);
  });

  it('of an invitation is not sent again after a reload, and the browser stores no e-mail address', async () => {
    const page = await opened('/members', UNAVAILABLE);
    await page.user.click(await screen.findByRole('button', { name: 'Invite…' }));
    await page.user.type(await screen.findByRole('textbox', { name: 'E-mail address' }), 'new@northwind.example');
    await page.user.click(screen.getByRole('button', { name: 'Send the invitation' }));
    await screen.findByText('We do not know whether it happened. The page asks the service again.');
    expect(stored()).toEqual([expect.stringContaining('"isIncomplete":true')]);
    expect(stored().join('')).not.toContain('@');
    page.unmount();
    // After a reload, the page knows only the stored item. With another key, the page finds no body in its memory.
    const [name = ''] = Object.keys(sessionStorage);
    sessionStorage.setItem(name, stored()[0]!.replace(/"key":"\w+"/, '"key":"before-reload"'));
    const { sent } = await opened('/members', DONE);
    expect(await screen.findByText(/^You began a change .* we do not know whether it happened/)).toBeVisible();
    expect(changesIn(sent)).toEqual([]);
    expect(sessionStorage).toHaveLength(0);
  });
});
