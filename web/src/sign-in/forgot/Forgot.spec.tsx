import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { axe, toHaveNoViolations } from 'jest-axe';
import { fields, pendingReply, type SignInReply, visit } from '../visit.testing';

expect.extend(toHaveNoViolations);
window.matchMedia = ((media: string) => ({ matches: false, media })) as unknown as typeof window.matchMedia;

const SENT = 'Password reset link has been sent to your email.';

describe('The page for a forgotten password', () => {
  it('shows the texts of the specification', async () => {
    const { container } = await visit('/forgot');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Forgot your password?');
    expect(
      screen.getByText("Enter your email address and we'll send you a link to reset your password."),
    ).toBeVisible();
    expect(fields.email()).toHaveAttribute('type', 'email');
    expect(fields.email()).toHaveAttribute('autocomplete', 'email');
    expect(container.querySelector('form')).toHaveAttribute('novalidate');
    expect(document.title).toBe('Forgot your password? · Pulse');
    expect(await axe(container)).toHaveNoViolations();
  });

  it.each([
    ['a@b', false],
    ['@.', false],
    ['abcd', false],
    ['ab.c', false],
    ['ab@c', false],
    ['a@b.', true],
    ['@.ab', true],
    ['ada@example.com', true],
  ])('has an enabled button after the input "%s": %s', async (typed, enabled) => {
    const { user } = await visit('/forgot');
    expect(fields.send()).toBeDisabled();
    await user.type(fields.email(), typed);
    expect(fields.send().disabled).toBe(!enabled);
  });

  it('sends no request for an invalid e-mail address, and shows no message', async () => {
    const { user, sent, container } = await visit('/forgot');
    await user.type(fields.email(), 'a@b{Enter}');
    fireEvent.submit(container.querySelector('form')!);
    expect(sent).toEqual([]);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(fields.email()).toBeVisible();
  });
});

describe('A request for a reset link', () => {
  it.each<[string, SignInReply]>([
    ['204', { status: 204 }],
    ['400', { status: 400 }],
    ['403', { status: 403 }],
    ['429', { status: 429 }],
    ['500', { status: 500 }],
    ['no network', 'no network'],
    ['canceled', 'canceled'],
  ])('looks like a success after %s', async (_, reply) => {
    const { user, sent, container } = await visit('/forgot', { reply });
    await user.type(fields.email(), 'ada@example.com{Enter}');
    expect(await screen.findByText(SENT)).toBeVisible();
    expect(sent).toEqual([['/forgot', { email: 'ada@example.com' }]]);
    expect(container.querySelector('form')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is pending until the service answers, and is sent only once', async () => {
    const { reply, answer } = pendingReply();
    const { user, sent, container } = await visit('/forgot', { reply });
    await user.type(fields.email(), 'ada@example.com{Enter}');
    expect(fields.send()).toHaveAttribute('aria-disabled', 'true');
    expect(fields.send()).toBeEnabled(); // a browser takes the focus away from a disabled button
    expect(fields.send()).toHaveAttribute('aria-busy', 'true');
    fireEvent.submit(container.querySelector('form')!);
    expect(sent).toHaveLength(1);
    await act(async () => answer(204));
    await screen.findByText(SENT);
  });

  it('does not take away the form that the person has opened again before the service answers', async () => {
    const [first, second] = [pendingReply(), pendingReply()];
    const { user } = await visit('/forgot', { reply: [first.reply, second.reply] });
    await user.type(fields.email(), 'ada@example.com{Enter}');
    await user.click(screen.getByRole('link', { name: 'Back to log in' }));
    await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    await user.type(fields.email(), 'bob@example.com{Enter}');
    await act(async () => first.answer(204));
    expect(fields.send()).toHaveAttribute('aria-busy', 'true');
    await act(async () => second.answer(204));
    await screen.findByText(SENT);
  });

  it('keeps the e-mail address out of the Redux store and of every Redux action', async () => {
    const { user, seen, store } = await visit('/forgot');
    await user.type(fields.email(), 'ada@example.com{Enter}');
    await screen.findByText(SENT);
    const all = JSON.stringify([seen, store.getState()]);
    expect(all).toContain('sendResetLink');
    expect(all).not.toContain('ada@');
  });
});

describe('A navigation between the log-in page and the page for a forgotten password', () => {
  it('keeps a typed e-mail address and the query parameter `redirect`', async () => {
    const { user } = await visit('/login?redirect=/org/42&error=google');
    await user.type(fields.username(), 'ada@example.com');
    await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    expect(fields.email()).toHaveValue('ada@example.com');
    expect(fields.send()).toBeEnabled();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
    expect(window.location.search).toBe('?redirect=%2Forg%2F42');
    expect(JSON.stringify(window.history.state)).not.toContain('ada@');
    await user.click(screen.getByRole('link', { name: 'Back to log in' }));
    expect(window.location.pathname + window.location.search).toBe('/login?redirect=%2Forg%2F42');
  });

  it('drops a typed username, because the next page needs an e-mail address', async () => {
    const { user } = await visit('/');
    await user.type(fields.username(), 'ada');
    await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    expect(fields.email()).toHaveValue('');
  });

  it('shows an empty form when the person opens the page again', async () => {
    const { user } = await visit('/forgot');
    await user.type(fields.email(), 'ada@example.com{Enter}');
    await screen.findByText(SENT);
    await user.click(screen.getByRole('link', { name: 'Back to log in' }));
    await user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    await waitFor(() => expect(fields.send()).toBeDisabled());
  });
});
