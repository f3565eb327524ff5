import { act, screen, waitFor } from '@testing-library/react';
import { axe, toHaveNoViolations } from 'jest-axe';
import { fields, pendingReply, type SignInReply, visit } from '../visit.testing';

expect.extend(toHaveNoViolations);
window.matchMedia = ((media: string) => ({ matches: false, media })) as unknown as typeof window.matchMedia;

const problem = (reason: string, because?: string): SignInReply => ({
  status: 400,
  data: { type: `/problems/${reason}`, ...(because && { because }) },
});

const xsrf: SignInReply = { status: 403, data: { type: '/problems/xsrf' } };

const save = async (password: string, reply: SignInReply | readonly SignInReply[] = { status: 204 }) => {
  const page = await visit('/reset', { reply, linkToken: 'a-token' });
  await page.user.type(fields.newPassword(), password);
  await page.user.click(fields.save());
  return page;
};

describe('A page of a mailed link after a reload', () => {
  it.each(['/reset', '/email/confirm', '/invitation'])('asks for the link, and sends no request: %s', async (path) => {
    const { sent } = await visit(path);
    expect(await screen.findByRole('heading', { name: 'Open the link again' })).toHaveFocus();
    expect(screen.queryByRole('textbox')).toBeNull();
    expect(sent).toEqual([]);
  });
});

describe('The page for a new password', () => {
  it('has one field for the new password and one button', async () => {
    const { container } = await visit('/reset', { linkToken: 'a-token' });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Set a new password');
    expect(fields.newPassword()).toHaveAttribute('autocomplete', 'new-password');
    expect(fields.newPassword()).toHaveAttribute('name', 'new-password');
    expect(fields.save()).toBeEnabled();
    expect(await axe(container)).toHaveNoViolations();
  });

  it('refuses a password of 11 characters without a request', async () => {
    const { sent } = await save('a'.repeat(11));
    expect(screen.getByRole('alert').textContent).toBe('This password is too short. Use 12 characters or more.');
    expect(fields.newPassword()).toHaveFocus();
    expect(document.title).toBe('Error: Set a new password · Pulse');
    expect(sent).toEqual([]);
  });

  it.each(['a'.repeat(12), '🐢'.repeat(12)])(
    'sends a password of 12 characters (%s), and opens the log-in page',
    async (password) => {
      const { sent, went } = await save(password);
      await screen.findByText('Your password has been changed. Log in with the new one.');
      expect(sent).toEqual([['/reset', { token: 'a-token', password }]]);
      expect(went).toEqual([]);
      expect(window.location.pathname).toBe('/login');
      expect(fields.logIn()).toBeEnabled();
    },
  );

  it('marks the rule about the length as met after 12 characters', async () => {
    const { user } = await visit('/reset', { linkToken: 'a-token' });
    const rule = screen.getByText('12 characters or more');
    await user.type(fields.newPassword(), 'a'.repeat(11));
    expect(rule).toHaveAttribute('data-met', 'false');
    await user.type(fields.newPassword(), 'a');
    expect(rule).toHaveAttribute('data-met', 'true');
  });

  it.each<[string, SignInReply, string]>([
    ['common', problem('password-refused', 'common'), 'This password is one of the most common. Choose another one.'],
    [
      'personal',
      problem('password-refused', 'personal'),
      'This password is too close to your name, your address or Pulse. Choose another one.',
    ],
    ['too long', problem('password-refused', 'too-long'), 'This password is too long. Use 128 characters or fewer.'],
    ['no reason', problem('password-refused'), 'This password cannot be used. Choose another one.'],
    ['429', { status: 429, headers: { 'retry-after': '40' } }, 'Too many attempts. Try again in 40 seconds.'],
    [
      '429 with a time in minutes',
      { status: 429, headers: { 'retry-after': '900' } },
      'Too many attempts. Try again in 15 minutes.',
    ],
    ['429 without a time', { status: 429 }, 'Too many attempts. Try again later.'],
    [
      'any other refusal',
      problem('malformed'),
      'That did not work. Open the link in your e-mail once more, and try again.',
    ],
    ['403 again and again', xsrf, 'That did not work. Open the link in your e-mail once more, and try again.'],
    ['500', { status: 500 }, 'Pulse cannot answer at the moment. Try again in a few minutes.'],
    ['503', { status: 503 }, 'Pulse cannot answer at the moment. Try again in a few minutes.'],
    ['no network', 'no network', 'We could not reach Pulse. Check your connection and try again.'],
  ])('describes the field with the reason of a refusal: %s', async (_, reply, words) => {
    await save('correct horse battery', reply);
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(words));
    expect(fields.newPassword()).toHaveFocus();
    expect(fields.newPassword()).toHaveAttribute('aria-invalid', 'true');
    expect(fields.newPassword()).toHaveAccessibleDescription(new RegExp(words.replaceAll('.', '[.]')));
  });

  it('offers to send a new link if the service answers `reset-link-invalid`', async () => {
    const { user } = await save('correct horse battery', problem('reset-link-invalid'));
    const heading = await screen.findByRole('heading', { name: 'This link no longer works' });
    expect(heading).toHaveFocus();
    expect(screen.getByText('It has expired or was already used. Links work once, for 60 minutes.')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Send a new link' }));
    expect(window.location.pathname).toBe('/forgot');
  });

  it('sends the request again with the new XSRF token after a sign-in in another tab', async () => {
    const { sent } = await save('correct horse battery', [xsrf, { status: 204 }]);
    await screen.findByText(/has been changed/);
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
  });

  it('sends no third request if the service refuses the new XSRF token, too', async () => {
    const { sent } = await save('correct horse battery', xsrf);
    await screen.findByText(/did not work/);
    expect(sent).toHaveLength(2);
  });

  it('disables its button, which keeps the focus, until the service answers, and sends only one request', async () => {
    const { reply, answer } = pendingReply();
    const { user, sent } = await save('correct horse battery', reply);
    expect(fields.save()).toHaveAttribute('aria-disabled', 'true');
    expect(fields.save()).toBeEnabled(); // a browser takes the focus away from a disabled button
    await user.type(fields.newPassword(), '{Enter}');
    expect(sent).toHaveLength(1);
    await act(async () => answer(204));
    await screen.findByText(/has been changed/);
  });

  it('keeps the password and the token of the link out of the Redux store and of every Redux action', async () => {
    const { seen, store } = await save('correct horse battery');
    await screen.findByText(/has been changed/);
    const all = JSON.stringify([seen, store.getState()]);
    expect(all).toContain('setPassword');
    expect(all).not.toMatch(/correct horse|a-token/);
  });
});

describe('The page that confirms an e-mail address', () => {
  it('sends the token of the link only when the person presses the button', async () => {
    const { user, sent, container } = await visit('/email/confirm', { linkToken: 'a-token' });
    expect(sent).toEqual([]);
    expect(await axe(container)).toHaveNoViolations();
    await user.click(screen.getByRole('button', { name: 'Confirm address' }));
    await screen.findByText('Your e-mail address has been confirmed.');
    expect(sent).toEqual([['/email/confirm', { token: 'a-token' }]]);
  });

  it('shows that the link no longer works if the service answers `reset-link-invalid`', async () => {
    const { user } = await visit('/email/confirm', { linkToken: 'a-token', reply: problem('reset-link-invalid') });
    await user.click(screen.getByRole('button', { name: 'Confirm address' }));
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeVisible();
    screen.getByText(/^It has expired, was already used, or a newer link has replaced it\. Change the address again/);
  });

  it.each<[string, SignInReply, string]>([
    ['429', { status: 429, headers: { 'retry-after': '1' } }, 'Too many attempts. Try again in 1 second.'],
    ['403', xsrf, 'That did not work. Open the link in your e-mail once more, and try again.'],
  ])(
    'shows another message and the button again if the service gives another reason than an invalid link: %s',
    async (_, reply, words) => {
      const { user } = await visit('/email/confirm', { linkToken: 'a-token', reply });
      await user.click(screen.getByRole('button', { name: 'Confirm address' }));
      expect(await screen.findByText(words)).toBeVisible();
      expect(screen.getByRole('button', { name: 'Confirm address' })).toBeEnabled();
    },
  );

  it('says so if the request does not reach the service', async () => {
    const { user } = await visit('/email/confirm', { linkToken: 'a-token', reply: 'no network' });
    await user.click(screen.getByRole('button', { name: 'Confirm address' }));
    expect(await screen.findByText('We could not reach Pulse. Check your connection and try again.')).toBeVisible();
  });
});
