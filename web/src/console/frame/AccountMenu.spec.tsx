import { act, screen, waitFor, within } from '@testing-library/react';
import { Link, useLocation } from 'react-router-dom';
import { answering, NORTHWIND, people } from '../../../../test/journeys/pages/samples';
import { applyAccountChoices } from '../../choices/account-choices';
import { singleKeys } from '../../choices/single-keys';
import { followTheme, theme } from '../../choices/theme';
import { timeZone } from '../../choices/time-zone';
import { type ConsoleReply, renderConsole, type SentRequest } from '../open.testing';
import { MomentText } from '../page-parts/Moment';
import { Tools } from './Tools';
import { Top } from './Top';

const CALL = '2026-05-02T21:33:20.000Z';

const answer = ({ method, url, params }: SentRequest): ConsoleReply => {
  const path = `${url}?${new URLSearchParams(params).toString()}`;
  const { status, body } = answering(people.operator)({ method, path, body: undefined, xsrf: '' }) as {
    status: number;
    body: object;
  };
  return { status, data: body };
};

function Address() {
  return <output aria-label="address">{useLocation().pathname}</output>;
}

async function opened(
  but: (request: SentRequest) => ConsoleReply | undefined = () => undefined,
  options: Partial<Parameters<typeof renderConsole>[1]> = {},
) {
  const visit = await renderConsole(
    <>
      <Top />
      <Address />
      <MomentText at={CALL} />
      <Link to="/elsewhere">elsewhere</Link>
    </>,
    { answer: (request) => but(request) ?? answer(request), path: `/org/${NORTHWIND}/overview`, ...options },
  );
  await visit.user.click(screen.getByRole('button', { name: 'Ada Jansen' }));
  return visit;
}
const button = () => screen.getByRole('button', { name: 'Ada Jansen' });
const menu = () => screen.queryByRole('menu', { name: 'Account' });
const radio = (name: string | RegExp) => screen.getByRole('menuitemradio', { name });

/** An HTML document whose `meta` elements contain these choices of the account. */
function pageWith(facts: Readonly<Record<string, string>>): Document {
  const page = document.implementation.createHTMLDocument();
  for (const [name, content] of Object.entries(facts))
    page.head.append(Object.assign(page.createElement('meta'), { name: `charter-${name}`, content }));
  return page;
}

afterEach(() =>
  act(() => {
    applyAccountChoices(pageWith({}));
    singleKeys.choose('on');
    timeZone.choose('utc');
    theme.choose('system');
  }),
);

describe('The account menu', () => {
  it('has a menu button; the arrow keys, Home, End and letters move the focus between the menu items', async () => {
    const { user } = await opened();
    expect(button()).toHaveAttribute('aria-expanded', 'true');
    const account = screen.getByRole('menuitem', { name: 'Your account' });
    expect(account).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(radio('English')).toHaveFocus();
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(screen.getByRole('menuitem', { name: 'Log out' })).toHaveFocus();
    await user.keyboard('{Home}');
    expect(account).toHaveFocus();
    await user.keyboard('{End}{ArrowDown}');
    expect(account).toHaveFocus();
    await user.keyboard('d');
    expect(radio('Dark')).toHaveFocus();
  });

  it.each(['Escape', 'Tab'])('closes after %s', async (key) => {
    const { user } = await opened();
    await user.keyboard(`{${key}}`);
    expect(menu()).toBeNull();
    expect(button()).toHaveAttribute('aria-expanded', 'false');
    expect(key === 'Tab' ? screen.getByRole('link', { name: 'elsewhere' }) : button()).toHaveFocus();
  });

  it('opens with the arrow down key at its first item, and with the arrow up key at its last item', async () => {
    const { user } = await opened();
    await user.keyboard('{Escape}{ArrowUp}');
    expect(screen.getByRole('menuitem', { name: 'Log out' })).toHaveFocus();
    await user.keyboard('{Escape}{ArrowDown}');
    expect(screen.getByRole('menuitem', { name: 'Your account' })).toHaveFocus();
  });

  it('closes after a click outside the menu and after a navigation', async () => {
    const { user } = await opened();
    await user.click(screen.getByRole('status', { name: 'address' }));
    expect(menu()).toBeNull();
    await user.click(button());
    await user.click(screen.getByRole('menuitem', { name: 'Your account' }));
    expect(screen.getByRole('status', { name: 'address' })).toHaveTextContent('/me');
    expect(menu()).toBeNull();
  });

  it('switches single-key shortcuts off and on, and the browser stores this choice', async () => {
    const { user } = await opened();
    const choice = screen.getByRole('menuitemcheckbox', { name: 'Single keys' });
    expect(choice).toBeChecked();
    await user.click(choice);
    expect(localStorage.getItem('charter-single-keys')).toBe('off');
    await user.keyboard('{Escape}?');
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.click(button());
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Single keys' }));
    await user.keyboard('{Escape}?');
    expect(await screen.findByRole('dialog', { name: 'Keys' })).toBeVisible();
    expect(localStorage.getItem('charter-single-keys')).toBeNull();
  });

  it('changes the colour theme of the page, and the browser stores this choice', async () => {
    followTheme(document);
    const { user } = await opened();
    expect(radio('As the system')).toBeChecked();
    await user.click(radio('Dark'));
    expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
    expect(localStorage.getItem('charter-theme')).toBe('dark');
    expect(radio('Dark')).toBeChecked();
    await user.click(radio('As the system'));
    expect(document.documentElement).not.toHaveAttribute('data-theme');
    expect(localStorage.getItem('charter-theme')).toBeNull();
  });

  it('changes the time zone of the page, and the browser stores this choice', async () => {
    jest
      .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
      .mockReturnValue({ timeZone: 'Europe/Helsinki' } as Intl.ResolvedDateTimeFormatOptions);
    const { user } = await opened();
    const moment = () => document.querySelector('time')!.textContent.replaceAll('\u202f', ' ');
    expect(moment()).toBe('May 2, 2026, 9:33:20 PM UTC');
    await user.click(radio('This device: Europe/Helsinki'));
    expect(moment()).toBe('May 3, 2026, 12:33:20 AM GMT+3');
    expect(document.querySelector('time')).toHaveAttribute('dateTime', CALL);
    expect(localStorage.getItem('charter-time-zone')).toBe('local');
    await user.click(radio('UTC'));
    expect(moment()).toBe('May 2, 2026, 9:33:20 PM UTC');
    expect(localStorage.getItem('charter-time-zone')).toBeNull();
    jest.restoreAllMocks();
  });

  it('stores the language, the time zone and the choice about single keys in the account', async () => {
    jest
      .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
      .mockReturnValue({ timeZone: 'Europe/Helsinki' } as Intl.ResolvedDateTimeFormatOptions);
    const { user, sent } = await opened(({ method }) => (method === 'PATCH' ? { status: 200, data: {} } : undefined));
    for (const item of [radio('Suomi'), radio(/^This device/), radio('UTC')]) await user.click(item);
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Single keys' }));
    expect(sent.filter(({ method }) => method === 'PATCH').map(({ url, body }) => [url, body])).toEqual([
      ['/api/v1/me', { language: 'fi' }],
      ['/api/v1/me', { timeZone: 'Europe/Helsinki' }],
      ['/api/v1/me', { timeZone: 'UTC' }],
      ['/api/v1/me', { keys: false }],
    ]);
    expect(within(screen.getByRole('banner')).getByRole('alert')).toBeEmptyDOMElement();
    jest.restoreAllMocks();
  });

  it('says that the earlier choice can return if the account could not store a choice', async () => {
    const { user } = await opened(({ method }) => (method === 'PATCH' ? { status: 503 } : undefined));
    await user.click(screen.getByRole('menuitemcheckbox', { name: 'Single keys' }));
    expect(await screen.findByText(/^Your account has not stored this choice\. After a reload/)).toBeVisible();
    expect(singleKeys.current()).toBe('off');
  });

  it('says so if the messages of the chosen language could not be loaded, and does not store this language', async () => {
    const speak = jest.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(true);
    const { user, sent } = await opened(undefined, { speak });
    await user.click(radio('Suomi'));
    expect(await screen.findByText('Language: unavailable right now.')).toBeVisible();
    const stored = () => sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
    expect(stored()).toEqual([]);
    await user.click(radio('Suomi'));
    await waitFor(() => expect(stored()).toEqual([{ language: 'fi' }]));
    expect(screen.queryByText('Language: unavailable right now.')).toBeNull();
  });

  it('does not store a language if the person has chosen another one before the messages arrived', async () => {
    const finnish = Promise.withResolvers<boolean>();
    const speak = (language: string) => (language === 'fi' ? finnish.promise : Promise.resolve(true));
    const { user, sent } = await opened(undefined, { speak });
    await user.click(radio('Suomi'));
    await user.click(radio('English'));
    await act(async () => finnish.resolve(false));
    expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([{ language: 'en' }]);
  });

  it("offers the account's time zone as a choice if this zone is neither UTC nor the zone of the device", async () => {
    act(() => applyAccountChoices(pageWith({ 'time-zone': 'America/New_York', 'single-keys': 'off' })));
    await opened();
    expect(radio('America/New_York')).toBeChecked();
    expect(screen.getByRole('menuitemcheckbox', { name: 'Single keys' })).not.toBeChecked();
    expect(document.querySelector('time')!.textContent.replaceAll('\u202f', ' ')).toBe('May 2, 2026, 5:33:20 PM EDT');
  });

  it.each(['', 'Mars/Olympus', 'local'])('shows UTC if the stored time zone of the account is %j', async (zone) => {
    act(() => applyAccountChoices(pageWith({ 'time-zone': zone })));
    await opened();
    expect(radio('UTC')).toBeChecked();
  });

  it('changes the colour theme even if the browser has no local storage', async () => {
    const refuse = () => {
      throw new DOMException('The user denied permission.', 'SecurityError');
    };
    for (const act of ['getItem', 'setItem', 'removeItem'] as const)
      jest.spyOn(Storage.prototype, act).mockImplementation(refuse);
    const { user } = await opened();
    await user.click(radio('Dark'));
    expect(radio('Dark')).toBeChecked();
    jest.restoreAllMocks();
  });

  it('says so if the person could not be logged out', async () => {
    const { user } = await opened(({ url }) => (url === '/logout' ? { status: 503 } : undefined));
    await user.click(screen.getByRole('menuitem', { name: 'Log out' }));
    expect(await within(screen.getByRole('banner')).findByText('You are still logged in. Try again.')).toBeVisible();
  });
});

it('The keyboard shortcuts of the header do nothing while the account menu is open', async () => {
  const visit = await renderConsole(
    <>
      <Tools />
      <Top />
    </>,
    { answer },
  );
  await visit.user.click(button());
  await visit.user.keyboard('?');
  expect(screen.queryByRole('dialog')).toBeNull();
});
