import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { axe, toHaveNoViolations } from 'jest-axe';
import { fields, pendingReply, type SignInReply, visit, withoutFinnish } from '../visit.testing';

expect.extend(toHaveNoViolations);

let finePointer = true;
beforeEach(() => {
  finePointer = true;
  window.matchMedia = ((media: string) => ({ matches: finePointer, media })) as unknown as typeof window.matchMedia;
});
afterEach(() => jest.restoreAllMocks());

const FAILED = 'Incorrect username or password.';

const logIn = async (path: string, reply: SignInReply | readonly SignInReply[], facts = {}) => {
  const page = await visit(path, { reply, facts });
  await page.user.type(fields.username(), 'ada');
  await page.user.type(fields.password(), 'correct horse{Enter}');
  return page;
};

describe('The log-in page', () => {
  it("greets the person with a heading that contains the product's name, and a line below the heading", async () => {
    await visit('/');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome back to Pulse,');
    expect(screen.getByText('enter your details to log in!')).toBeVisible();
  });

  it('has the two fields, the link “Forgot your password?”, the three buttons and the divider', async () => {
    const { container } = await visit('/');
    expect(fields.username()).toHaveAttribute('type', 'email');
    expect(fields.username()).toHaveAttribute('name', 'username');
    expect(fields.username()).toHaveAttribute('autocomplete', 'username');
    expect(fields.password()).toHaveAttribute('type', 'password');
    expect(fields.password()).toHaveAttribute('autocomplete', 'current-password');
    expect(fields.password()).not.toHaveAttribute('placeholder');
    expect(screen.getByRole('link', { name: 'Forgot your password?' })).toHaveAttribute('href', '/forgot');
    expect(fields.logIn()).toBeEnabled();
    expect(fields.google()).toBeEnabled();
    expect(fields.sso()).toBeEnabled();
    expect([...container.querySelectorAll('span')].map((one) => one.textContent)).toContain('- or - ');
  });

  it('appears on an unknown path', async () => {
    await visit('/some/where/else');
    expect(fields.logIn()).toBeEnabled();
  });

  it('sends the text of the two fields without a check, even if they are empty', async () => {
    const { container, user, sent } = await visit('/');
    expect(container.querySelector('form')).toHaveAttribute('novalidate');
    expect(container.querySelector('form')).toHaveAttribute('method', 'post');
    expect(container.querySelector('[required]')).toBeNull();
    await user.click(fields.logIn());
    expect(sent).toEqual([['/login', { username: '', password: '' }]]);
  });

  it('has no violation of the axe rules while it shows errors', async () => {
    const { container } = await logIn('/?from_rns&error=sso', { status: 429, headers: { 'retry-after': '40' } });
    await screen.findByText(FAILED);
    expect(await axe(container)).toHaveNoViolations();
  });
});

describe('`error` in the query', () => {
  it.each([
    ['google', 'Google sign-in failed.'],
    ['sso', 'Single sign-on (SSO) failed.'],
    ['account', "You don't seem to have access to any organization."],
  ])('shows the sentence for its value: %s', async (error, words) => {
    await visit(`/login?error=${error}`);
    expect(screen.getByRole('alert').textContent).toBe(words);
    expect(document.title).toBe('Error: Log in · Pulse');
  });

  it.each([
    '/login/google',
    '/login?error=other',
    '/login?error=',
    '/login?error=constructor',
    '/login?error=<b>x</b>',
  ])('shows nothing for %s', async (path) => {
    const { container } = await visit(path);
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    expect(container.textContent).not.toContain('<b>');
    expect(document.title).toBe('Log in · Pulse');
  });

  const SEAT = 'Your organization has no free seat. Ask an owner of the organization for a seat.';
  it('shows its sentence, and below it that the organization has no free seat, if the reason is the limit', async () => {
    const { container } = await visit('/login?error=account&reason=limit-exceeded');
    expect(screen.getByRole('alert').textContent).toBe("You don't seem to have access to any organization.");
    expect(screen.getByText(SEAT)).toHaveAttribute('role', 'status');
    expect(await axe(container)).toHaveNoViolations();
  });

  it.each(['error=sso&reason=limit-exceeded', 'reason=limit-exceeded', 'error=account&reason=other'])(
    'mentions no free seat for %s',
    async (query) => {
      await visit(`/login?${query}`);
      expect(screen.queryByText(SEAT)).toBeNull();
    },
  );

  it('mentions no free seat after the next attempt', async () => {
    await logIn('/login?error=account&reason=limit-exceeded', { status: 401 });
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(FAILED));
    expect(screen.queryByText(SEAT)).toBeNull();
  });

  it('shows its sentence only until the next attempt', async () => {
    await logIn('/login?error=google', { status: 401 });
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(FAILED));
  });
});

describe('`from_rns`', () => {
  const sentences = [
    'Your organization has been migrated from Pulse Classic to Pulse.',
    'Same credentials can be used here.',
    'Please log in!',
  ];

  it.each(['/?from_rns', '/?x=from_rns', '/login?a=1&from_rns=0', '/login/any?redirect=/from_rns'])(
    'in the query string makes the page show a message: %s',
    async (path) => {
      await visit(path);
      for (const sentence of sentences) expect(screen.getByText(sentence)).toBeVisible();
    },
  );

  it.each(['/', '/from_rns', '/login#from_rns'])(
    'outside of the query string makes the page show no message: %s',
    async (path) => {
      await visit(path);
      expect(screen.queryByText(sentences[0]!)).toBeNull();
    },
  );
});

describe('A log-in', () => {
  it.each([
    ['/', '/'],
    ['/login?redirect=/org/42/sites', '/org/42/sites'],
    ['/login?redirect=https://evil.example', '/'],
    ['/login?redirect=https://help.example/a', 'https://help.example/a'],
  ])('leads from %s to %s, and loads a new document', async (path, target) => {
    const { sent, went } = await logIn(path, { status: 204 }, { redirectOrigins: ['https://help.example'] });
    expect(sent).toEqual([['/login', { username: 'ada', password: 'correct horse' }]]);
    await waitFor(() => expect(went).toEqual([target]));
  });

  it.each([200, 204, 299])('succeeds with status %d and any body', async (status) => {
    const { went } = await logIn('/', { status, data: { not: 'read' } });
    await waitFor(() => expect(went).toEqual(['/']));
  });

  it('is sent when the person presses Enter in the first field or on the button', async () => {
    const { user, sent } = await visit('/', { reply: { status: 401 } });
    await user.type(fields.username(), 'ada{Enter}');
    await screen.findByText(FAILED);
    fields.logIn().focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(sent).toHaveLength(2));
  });

  it('is pending until the service answers, and is sent only once', async () => {
    const { reply, answer } = pendingReply();
    const { user, sent, container } = await logIn('/', reply);
    expect(fields.logIn()).toHaveAttribute('aria-disabled', 'true');
    expect(fields.logIn()).toBeEnabled(); // a browser takes the focus away from a disabled button
    expect(fields.logIn()).toHaveAttribute('aria-busy', 'true');
    expect(fields.logIn()).toHaveTextContent('Log in');
    await user.click(fields.logIn());
    fireEvent.submit(container.querySelector('form')!);
    expect(sent).toHaveLength(1);
    await act(async () => answer(401));
    await waitFor(() => expect(fields.logIn()).toHaveAttribute('aria-disabled', 'false'));
  });

  it.each<[string, SignInReply]>([
    ['401', { status: 401 }],
    ['400', { status: 400 }],
    ['403', { status: 403 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['302', { status: 302 }],
    ['no network', 'no network'],
    ['canceled', 'canceled'],
  ])('shows the same sentence after every failure, and can be repeated: %s', async (_, reply) => {
    const { went, store } = await logIn('/', reply);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(FAILED));
    expect(store.getState().signIn.login).toBe('idle');
    expect(fields.logIn()).toBeEnabled();
    expect(went).toEqual([]);
  });

  it('reports an aborted request as canceled', async () => {
    const { seen } = await logIn('/', 'canceled');
    await screen.findByText(FAILED);
    expect(seen).toContainEqual(
      expect.objectContaining({
        type: 'signIn/logIn/rejected',
        error: expect.objectContaining({ message: 'canceled' }) as unknown,
      }),
    );
  });

  it.each<[string, SignInReply, string]>([
    [
      '429 with a time',
      { status: 429, headers: { 'retry-after': '40' } },
      'Too many attempts. Try again in 40 seconds.',
    ],
    [
      '429 with a time in minutes',
      { status: 429, headers: { 'retry-after': '900' } },
      'Too many attempts. Try again in 15 minutes.',
    ],
    ['429 without a time', { status: 429 }, 'Too many attempts. Try again later.'],
    ['500', { status: 500 }, 'Pulse cannot answer at the moment. Try again in a few minutes.'],
    ['503', { status: 503 }, 'Pulse cannot answer at the moment. Try again in a few minutes.'],
    ['no network', 'no network', 'We could not reach Pulse. Check your connection and try again.'],
  ])('shows a hint in a polite live region after a failure: %s', async (_, reply, hint) => {
    await logIn('/', reply);
    await screen.findByText(FAILED);
    expect(screen.getAllByRole('status').map((one) => one.textContent)).toContain(hint);
  });

  it.each<[string, SignInReply]>([
    ['401', { status: 401 }],
    ['403', { status: 403 }],
    ['canceled', 'canceled'],
  ])('shows no hint after a failure: %s', async (_, reply) => {
    await logIn('/', reply);
    await screen.findByText(FAILED);
    const said = screen.getAllByRole('status').map((one) => one.textContent);
    expect(said.filter(Boolean)).toEqual(['enter your details to log in!']);
  });

  it('shows the remaining wait, also after the computer has slept and after a return from another page', async () => {
    const clock = jest.spyOn(Date, 'now');
    const after = (seconds: number) => clock.mockReturnValue(start + seconds * 1_000);
    const start = Date.now();
    after(0);
    const { user } = await logIn('/', { status: 429, headers: { 'retry-after': '80' } });
    await screen.findAllByText('Too many attempts. Try again in 80 seconds.');
    after(30);
    await screen.findByText('Too many attempts. Try again in 50 seconds.', {}, { timeout: 3_000 });
    await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    after(50);
    await user.click(screen.getByRole('link', { name: 'Back to log in' }));
    expect(screen.getAllByText(/^Too many attempts/).map((one) => one.textContent)).toEqual(
      Array(2).fill('Too many attempts. Try again in 30 seconds.'),
    );
    after(80);
    await waitFor(() => expect(screen.queryByText(/^Too many attempts/)).toBeNull(), { timeout: 3_000 });
  });

  it('is sent again with the new XSRF token after the service has refused the first token', async () => {
    const refused: SignInReply = { status: 403, data: { type: '/problems/xsrf' } };
    const { sent, went } = await logIn('/', [refused, { status: 204 }]);
    await waitFor(() => expect(went).toEqual(['/']));
    expect(sent).toHaveLength(2);
  });

  it('is not sent a third time after the service has refused the second XSRF token', async () => {
    const { sent } = await logIn('/', { status: 403, data: { type: '/problems/xsrf' } });
    await screen.findByText(FAILED);
    expect(sent).toHaveLength(2);
  });

  it('keeps the typed username, selects the password, and changes the title of the page after a failure', async () => {
    await logIn('/', { status: 401 });
    await screen.findByText(FAILED);
    expect(fields.username()).toHaveValue('ada');
    expect(fields.password()).toHaveFocus();
    expect([fields.password().selectionStart, fields.password().selectionEnd]).toEqual([0, 'correct horse'.length]);
    expect(fields.username()).toHaveAttribute('aria-invalid', 'true');
    expect(fields.password()).toHaveAccessibleDescription(new RegExp(FAILED));
    expect(document.title).toBe('Error: Log in · Pulse');
  });

  it('keeps the username and the password out of the Redux store and of every Redux action', async () => {
    const { seen, store } = await logIn('/', { status: 401 });
    await screen.findByText(FAILED);
    expect(seen.length).toBeGreaterThanOrEqual(2);
    const all = JSON.stringify([seen, store.getState()]);
    expect(all).toContain('rejected');
    expect(all).not.toMatch(/correct horse|"ada"/);
  });

  it('is not pending any more if the browser restores the page from its cache', async () => {
    const { reply } = pendingReply();
    await logIn('/', reply);
    act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(fields.logIn()).toHaveAttribute('aria-disabled', 'false');
  });

  it('is handled by the application, and not by `early.js`, after a navigation from another sign-in page', async () => {
    document.documentElement.removeAttribute('data-ready');
    const page = await visit('/forgot');
    await page.user.click(screen.getByRole('link', { name: 'Back to log in' }));
    expect(document.documentElement).toHaveAttribute('data-ready');
  });
});

describe('The button “Sign in with Google”', () => {
  it.each([
    ['', '/auth/go/'],
    ['a.token-1_2', '/auth/go/a.token-1_2'],
  ])('with the token "%s" navigates to %s and loads a new document', async (googleToken, target) => {
    const { user, went, sent } = await visit('/', { facts: { googleToken } });
    await user.click(fields.google());
    expect(went).toEqual([target]);
    expect(sent).toEqual([]);
    expect(fields.google()).toHaveAttribute('aria-busy', 'true');
    expect(fields.logIn()).toBeEnabled();
  });

  it('loads the page again, for a new token, if the browser restores the page from its cache', async () => {
    const { user, went } = await visit('/login?redirect=/me', { facts: { googleToken: 'a-token' } });
    await user.click(fields.google());
    act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(went).toEqual(['/auth/go/a-token', 'http://localhost/login?redirect=/me']);
  });
});

describe('The button “Sign in with single sign-on”', () => {
  it.each([
    ['olga@acme.com', '/', '/auth/sso/domains/acme.com'],
    [
      ' olga+1@mail.acme.com ',
      '/login?redirect=/org/1?x=2',
      '/auth/sso/domains/mail.acme.com?redirect=%2Forg%2F1%3Fx%3D2',
    ],
    ['olga@fuß.example/../x', '/', '/auth/sso/domains/fu%C3%9F.example%2F..%2Fx'],
  ])('reads the address "%s" on %s, and opens %s, which contains only the domain', async (address, path, target) => {
    const { user, went, sent } = await visit(path);
    await user.type(fields.username(), address);
    await user.click(fields.sso());
    expect(went).toEqual([target]);
    expect(sent).toEqual([]);
    expect(fields.sso()).toHaveAttribute('aria-busy', 'true');
    expect(fields.google()).toBeEnabled();
  });

  it.each(['', 'olga', '@acme.com', 'olga@', 'olga @ acme'])(
    'asks for an e-mail address and opens no other page if the field contains "%s"',
    async (entered) => {
      const { user, went, container } = await visit('/');
      if (entered) await user.type(fields.username(), entered);
      await user.click(fields.sso());
      expect(screen.getByRole('alert').textContent).toBe('Enter your e-mail address first.');
      expect(fields.username()).toHaveFocus();
      expect(fields.username()).toHaveAttribute('aria-invalid', 'true');
      expect(fields.username()).toHaveAccessibleDescription('Enter your e-mail address first.');
      expect(went).toEqual([]);
      expect(await axe(container)).toHaveNoViolations();
    },
  );

  it('replaces the message about an earlier failure until the next attempt to log in', async () => {
    const { user } = await logIn('/', { status: 401 });
    await screen.findByText(FAILED);
    await user.click(fields.sso());
    expect(screen.getByRole('alert').textContent).toBe('Enter your e-mail address first.');
    await user.click(fields.logIn());
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(FAILED));
  });

  it('is enabled again if the browser restores the page from its cache', async () => {
    const { user } = await visit('/');
    await user.type(fields.username(), 'olga@acme.com');
    await user.click(fields.sso());
    expect(fields.sso()).toHaveAttribute('aria-disabled', 'true');
    expect(fields.sso()).toBeEnabled(); // a browser takes the focus away from a disabled button
    act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(fields.sso()).toHaveAttribute('aria-disabled', 'false');
  });
});

describe('The fields', () => {
  it('begin with the focus on the first field if the device has a precise pointer and the page shows no error', async () => {
    await visit('/');
    expect(fields.username()).toHaveFocus();
  });

  it('do not get the focus on a phone, or if the page shows an error', async () => {
    finePointer = false;
    const { unmount } = await visit('/');
    expect(fields.username()).not.toHaveFocus();
    unmount();
    finePointer = true;
    await visit('/login?error=google');
    expect(fields.username()).not.toHaveFocus();
  });

  it('have a button that shows the password', async () => {
    const { user } = await visit('/');
    const show = screen.getByRole('button', { name: 'Show password' });
    expect(show).toHaveAttribute('aria-pressed', 'false');
    await user.click(show);
    expect(fields.password()).toHaveAttribute('type', 'text');
    expect(show).toHaveAttribute('aria-pressed', 'true');
  });

  it('show a Caps Lock hint until the focus leaves the password', async () => {
    const { user } = await visit('/');
    await user.click(fields.password());
    await user.keyboard('{CapsLock}a');
    expect(screen.getByText('⇪ Caps Lock is on.')).toBeVisible();
    await user.tab();
    expect(screen.queryByText('⇪ Caps Lock is on.')).toBeNull();
  });

  it('get the focus in their visible order, like the links and buttons between them', async () => {
    const { user } = await visit('/');
    const order = [];
    for (let step = 0; step < 8; step += 1) {
      order.push(
        document.activeElement?.id || document.activeElement?.textContent || document.activeElement?.ariaLabel,
      );
      await user.tab();
    }
    expect(order.map((one) => one || 'Show password')).toEqual([
      'username',
      'password',
      'Show password',
      'Forgot your password?',
      'Log in',
      'Sign in with Google',
      'Sign in with single sign-on',
      'language',
    ]);
  });
});

describe('The language', () => {
  it('of the page changes at once and is stored in a cookie; the typed text stays in the fields', async () => {
    const { user } = await visit('/');
    await user.type(fields.username(), 'ada');
    await user.selectOptions(screen.getByLabelText('Language'), 'fi');
    expect(await screen.findByRole('button', { name: 'Kirjaudu' })).toBeEnabled();
    expect(document.documentElement.lang).toBe('fi');
    expect(document.cookie).toContain('charter-language=fi');
    expect(document.querySelector<HTMLInputElement>('#username')).toHaveValue('ada');
    await user.selectOptions(screen.getByLabelText('Kieli'), 'en');
  });

  it('stays, and the page says so, if the messages of the chosen language could not be loaded', async () => {
    const { user } = await visit('/', { words: withoutFinnish });
    await user.selectOptions(screen.getByLabelText('Language'), 'fi');
    expect(await screen.findByText('We could not reach Pulse. Check your connection and try again.')).toBeVisible();
    expect(screen.getByLabelText('Language')).toHaveValue('en');
  });
});

describe('A person whose session has ended', () => {
  it('gets a message on the log-in page', async () => {
    await visit('/login?redirect=/org/1', { wasSignedOut: true });
    expect(await screen.findByText('You have been logged out. Log in again.')).toBeVisible();
  });
});
