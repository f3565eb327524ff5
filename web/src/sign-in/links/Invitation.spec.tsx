import { act, screen, waitFor } from '@testing-library/react';
import { axe, toHaveNoViolations } from 'jest-axe';
import { type SignInReply, visit } from '../visit.testing';

expect.extend(toHaveNoViolations);
window.matchMedia = ((media: string) => ({ matches: false, media })) as unknown as typeof window.matchMedia;

const ID = '7d4d8a07-8f6b-4f3c-9d2d-6f5c52cb4f14';
const PASSWORD = 'correct horse battery';
const invited = {
  organization: { id: ID, name: 'Northwind' },
  inviter: 'Ada Lovelace',
  name: null as string | null,
  email: 'bo@example.com',
};
const found = (data: object = invited): SignInReply => ({ status: 200, data });
const invalid: SignInReply = { status: 400, data: { type: '/problems/reset-link-invalid' } };
const nameRefused: SignInReply = {
  status: 400,
  data: { type: '/problems/malformed', errors: [{ path: 'name', message: 'contains an invisible character' }] },
};

const name = () => screen.getByLabelText<HTMLInputElement>('Your name (optional)');
const password = () => screen.getByLabelText<HTMLInputElement>('Password');
const submit = () => screen.getByRole('button', { name: 'Save password and log in' });
/** Opens the page. The first answer is the answer to the lookup. */
const open = (...reply: readonly SignInReply[]) =>
  visit('/invitation', { reply, linkToken: 'a-token', facts: { next: ['/assets/console.js'] } });

describe('The page of an invitation', () => {
  it('B17: names the inviter and the organization, has labels and one button, and asks the service once', async () => {
    const { sent, container, prefetched } = await open(found());
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Welcome, choose a password');
    await screen.findByText('Ada Lovelace has invited you to Northwind.');
    expect(sent).toEqual([['/invitation', { token: 'a-token' }]]);
    expect(document.title).toBe('Welcome · Pulse');
    expect([name().autocomplete, password().autocomplete]).toEqual(['name', 'new-password']);
    expect(prefetched).toEqual(['/assets/console.js']);
    expect(await axe(container)).toHaveNoViolations();
  });

  it.each<[string, object, string]>([
    ['an unknown inviter', { ...invited, inviter: null }, 'You are invited to Northwind.'],
    ['no organization', { ...invited, organization: null }, 'An account on Pulse has been created for you.'],
    [
      'a name with markup',
      { ...invited, inviter: '<b>{organization}</b>' },
      '<b>{organization}</b> has invited you to Northwind.',
    ],
  ])('has a sentence for %s', async (_, data, sentence) => {
    await open(found(data));
    await screen.findByText(sentence);
  });

  it('gives password managers the address as the username, in a field that people and screen readers do not find', async () => {
    const { container, user } = await open(found());
    await screen.findByText(/has invited you/);
    const username = container.querySelector('form [autocomplete=username]');
    expect(username).toHaveValue('bo@example.com');
    expect(screen.getAllByRole('textbox')).toEqual([name()]);
    await user.type(name(), 'Bo');
    await user.tab();
    expect(password()).toHaveFocus();
    expect(await axe(container)).toHaveNoViolations();
  });

  it('sends the name with the password, and then opens the overview of the organization', async () => {
    const { user, sent, went } = await open(found(), { status: 204 });
    await screen.findByText(/has invited you/);
    await user.type(name(), '  Bo Diddley ');
    await user.type(password(), `${PASSWORD}{Enter}`);
    await waitFor(() => expect(went).toEqual([`/org/${ID}/overview`]));
    expect(sent[1]).toEqual(['/reset', { token: 'a-token', password: PASSWORD, name: 'Bo Diddley' }]);
  });

  it('sends no empty name, and opens the start page without an organization', async () => {
    const { user, sent, went } = await open(found({ ...invited, organization: null }), { status: 204 });
    await screen.findByText(/has been created/);
    await user.type(name(), '  ');
    await user.type(password(), PASSWORD);
    await user.click(submit());
    await waitFor(() => expect(went).toEqual(['/']));
    expect(sent[1]).toEqual(['/reset', { token: 'a-token', password: PASSWORD }]);
  });

  it('fills in the name that Charter knows, but keeps the name that the person has typed meanwhile', async () => {
    await open(found({ ...invited, name: 'Bo Diddley' }));
    await waitFor(() => expect(name().value).toBe('Bo Diddley'));
    const { promise, resolve } = Promise.withResolvers<{ status: number }>();
    document.body.replaceChildren();
    const { user } = await open(promise);
    await user.type(name(), 'Bodo');
    resolve(found({ ...invited, name: 'Bo Diddley' }) as { status: number });
    await screen.findByText(/has invited you/);
    expect(name().value).toBe('Bodo');
  });

  it.each<[string, SignInReply]>([
    ['500', { status: 500 }],
    ['429', { status: 429 }],
    ['no network', 'no network'],
  ])('lets the person choose a password although the service names no inviter: %s', async (_, reply) => {
    const { user, went } = await open(reply, { status: 204 });
    await user.type(password(), `${PASSWORD}{Enter}`);
    await waitFor(() => expect(went).toEqual(['/']));
  });

  it.each<[string, readonly SignInReply[]]>([
    ['at once', [invalid]],
    ['after the form is sent', [found(), invalid]],
  ])(
    'says that the invitation no longer works, names no person, and links to the log-in page: %s',
    async (_, replies) => {
      const { user, container } = await open(...replies);
      if (replies.length > 1) await user.type(password(), `${PASSWORD}{Enter}`);
      await screen.findByRole('heading', { name: 'This invitation no longer works' });
      screen.getByText(
        /works once, for 7 days\. If you have already chosen a password, log in with it\. Otherwise ask the person who invited you, or an administrator of your organization, for a new one\.$/,
      );
      expect(container.textContent).not.toMatch(/Ada|Northwind/);
      expect(document.title).toBe('Error: Welcome · Pulse');
      expect(await axe(container)).toHaveNoViolations();
      await user.click(screen.getByRole('link', { name: 'Back to log in' }));
      expect(window.location.pathname).toBe('/login');
    },
  );

  it('focuses and marks the field that was refused', async () => {
    const { user } = await open(found(), nameRefused);
    await user.type(password(), 'short{Enter}');
    expect(password()).toHaveFocus();
    expect(password()).toBeInvalid();
    expect(name()).toBeValid();
    await user.type(password(), `${PASSWORD}{Enter}`);
    const words = await screen.findByText('This name cannot be used. Use only letters and signs that people can see.');
    expect(name()).toHaveFocus();
    expect(name()).toBeInvalid();
    expect(name()).toHaveAccessibleDescription(words.textContent);
    expect(password()).toBeValid();
  });

  it('sends no second request while the browser opens the next page', async () => {
    const { user, sent, went } = await open(found(), { status: 204 });
    await user.type(password(), `${PASSWORD}{Enter}`);
    await waitFor(() => expect(went).toHaveLength(1));
    await user.type(password(), '{Enter}');
    expect(submit()).toHaveAttribute('aria-busy', 'true');
    expect(sent).toHaveLength(2);
  });

  it('is not busy any more if the browser restores the page from its cache', async () => {
    const { user, went } = await open(found(), { status: 204 });
    await user.type(password(), `${PASSWORD}{Enter}`);
    await waitFor(() => expect(went).toHaveLength(1));
    act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(submit()).toHaveAttribute('aria-busy', 'false');
  });

  it('keeps the password, the names and the token out of the Redux store and of every Redux action', async () => {
    const { user, seen, store, went } = await open(found(), { status: 204 });
    await user.type(name(), 'Bo Diddley');
    await user.type(password(), `${PASSWORD}{Enter}`);
    await waitFor(() => expect(went).toHaveLength(1));
    const all = JSON.stringify([seen, store.getState()]);
    expect(all).toContain('setPassword');
    expect(all).not.toMatch(/correct horse|a-token|Diddley|Ada|Northwind/);
  });

  it('is in Finnish too', async () => {
    const { user } = await open(found());
    await screen.findByText(/has invited you/);
    await user.selectOptions(screen.getByRole('combobox'), 'fi');
    await screen.findByText('Ada Lovelace on kutsunut sinut organisaatioon Northwind.');
  });
});
