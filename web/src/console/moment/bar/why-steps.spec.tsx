import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ConsoleReply, SentRequest } from '../../open.testing';
import { address, heading, openBar, service, settled } from './renamed-history.testing';

/** Two pages of the service's list of changes of the users limit, newest first. */
const pages: Readonly<Record<string, object>> = {
  first: { path: '/limits/users', changes: [{ revision: 1250 }, { revision: 1200 }], next: 'second' },
  second: { path: '/limits/users', changes: [{ revision: 1100 }, { revision: 40 }], next: null },
};
const answer = (request: SentRequest): ConsoleReply => {
  const { url, params } = request;
  if (!url.endsWith('/changes')) return service(request);
  return { status: params['path'] === '/limits/users' ? 200 : 400, data: pages[params['cursor'] ?? 'first']! };
};
const press = (key: string) => fireEvent.keyDown(window.document.body, { key });
async function shows(revision: number): Promise<void> {
  await screen.findByText(new RegExp(`^As recorded by #${revision.toLocaleString('en')}, `));
  expect(address()).toContain(`asOf=${revision}`);
}

describe('The keys [ and ] on the overview', () => {
  it('move the page to the changes of the value whose explanation is open', async () => {
    await openBar('?asOf=1191&why=users', answer);
    await heading();
    await waitFor(() => expect(window.document.querySelector('[aria-expanded]')).not.toBeNull());
    press('[');
    await shows(1100);
    press('[');
    await shows(40);
    press(']');
    await shows(1100);
    press(']');
    await shows(1200);
    press(']');
    await shows(1250);
    expect(address()).toContain('why=users');
  });

  it('do not move the page if the value has no other change in this direction', async () => {
    const { sent } = await openBar('?asOf=1250&why=users', answer);
    await heading();
    await waitFor(() => expect(window.document.querySelector('[aria-expanded]')).not.toBeNull());
    press(']');
    await waitFor(() => expect(sent.filter(({ url }) => url.endsWith('/changes'))).toHaveLength(1));
    expect(address()).toBe('?asOf=1250&why=users');
  });
});

describe('The keys [ and ]', () => {
  const barIsThere = () => waitFor(() => expect(window.document.querySelector('[aria-expanded]')).not.toBeNull());

  it("move the page of a value's changes to the changes of this value", async () => {
    await openBar('?path=/limits/users&asOf=1191', answer, 'changes');
    await barIsThere();
    press('[');
    await shows(1100);
    press(']');
    await shows(1200);
    expect(address()).toContain('path=');
  });

  it('open the page of the previous or next event from the page of an event, but go no further than the first and last event', async () => {
    const pages: string[] = [];
    const opened = async (place: string, key: string) => {
      const { unmount } = await openBar('?asOf=1191', answer, place);
      await barIsThere();
      press(key);
      await settled();
      pages.push(await path());
      unmount();
    };
    await opened('history/7', '[');
    await opened('history/7', ']');
    await opened('history/0', '[');
    await opened('history/1283', ']');
    expect(pages).toEqual(['history/6', 'history/8', 'history/0', 'history/1283']);
  });
});

/** The page in the address, without the organization. */
const path = async () => {
  const { pathname } = new URL((await heading()).closest('body')!.querySelector('output')!.title, 'http://pages');
  return pathname.split('/').slice(3).join('/');
};
