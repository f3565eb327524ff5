import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { type SentRequest, renderConsole, type ConsoleReply } from '../open.testing';
import { AccountPage } from './Account';

const me = { id: 'p', name: 'Ada', username: 'ada', email: 'ada@northwind.example', role: null, organizations: [] };
const session = { method: 'password', began: '2026-11-20T09:00:00.000Z', used: '2026-11-21T09:00:00.000Z' };
const sessions = [
  {
    ...session,
    id: 's1',
    agent: 'Mozilla/5.0 (Wayland; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    current: true,
  },
  {
    ...session,
    id: 's2',
    agent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 Version/17.4 Safari/604.1',
  },
];

const reading = ({ url }: SentRequest): ConsoleReply => ({
  status: 200,
  data: url.endsWith('/sessions') ? { sessions } : me,
});
const writes = (sent: readonly SentRequest[]) => sent.filter(({ method }) => method !== 'GET');

/** Opens the account page. Requests that change data stay pending until the spec calls `answer`. */
async function opened() {
  const { promise, resolve } = Promise.withResolvers<ConsoleReply>();
  const page = await renderConsole(<AccountPage />, {
    answer: (request) => (request.method === 'GET' ? reading(request) : promise),
  });
  await screen.findByText('Safari on iPhone');
  return { ...page, answer: (reply: ConsoleReply) => act(async () => resolve(reply)) };
}

it('The list of sessions names the browser and the system of each session, and shows an unknown user agent as it is', async () => {
  const others = [
    { ...session, id: 's3', agent: 'my-browser/1.0' },
    { ...session, id: 's4', agent: '' },
  ];
  await renderConsole(<AccountPage />, {
    answer: ({ url }) => ({
      status: 200,
      data: url.endsWith('/sessions') ? { sessions: [...sessions, ...others] } : me,
    }),
  });
  for (const name of ['Firefox on Linux', 'Safari on iPhone', 'my-browser/1.0', 'Unknown browser'])
    expect(await screen.findByText(name)).toBeVisible();
});

describe('A double press on a button', () => {
  it('sends one request to end a session', async () => {
    const { user, sent, answer } = await opened();
    const end = screen.getByRole('button', { name: 'End the session in Safari on iPhone' });
    await user.dblClick(end);
    expect(end).toHaveAttribute('aria-disabled', 'true');
    expect(end).toBeEnabled(); // a browser takes the focus away from a disabled button
    await answer({ status: 204 });
    await waitFor(() => expect(sent.filter(({ url }) => url === '/api/v1/me/sessions')).toHaveLength(2));
    expect(writes(sent)).toEqual([expect.objectContaining({ method: 'DELETE', url: '/api/v1/me/sessions/s2' })]);
  });

  it('sends only one request for “Change password”, with the mouse and with Enter', async () => {
    const { user, sent, answer, container } = await opened();
    await user.type(screen.getByLabelText('Current password'), 'correct horse battery');
    await user.type(screen.getByLabelText('New password'), 'staple of the horse');
    const change = screen.getByRole('button', { name: 'Change password' });
    await user.dblClick(change);
    await user.type(screen.getByLabelText('New password'), '{Enter}');
    fireEvent.submit(container.querySelector('form')!);
    expect(change).toHaveAttribute('aria-disabled', 'true');
    expect(change).toBeEnabled(); // a browser takes the focus away from a disabled button
    expect(change).toHaveAttribute('aria-busy', 'true');
    await answer({ status: 204 });
    await screen.findByText('Your password has been changed. All other sessions have ended.');
    expect(change).toHaveAttribute('aria-disabled', 'false');
    expect(writes(sent)).toEqual([
      expect.objectContaining({
        method: 'PUT',
        body: { current: 'correct horse battery', password: 'staple of the horse' },
      }),
    ]);
  });

  it('sends only one request for “End all other sessions”, with the mouse and with Enter', async () => {
    const { user, sent, answer, container } = await opened();
    await user.click(screen.getByRole('button', { name: 'End all other sessions' }));
    await user.keyboard('correct horse battery');
    await user.dblClick(screen.getByRole('button', { name: 'End all other sessions' }));
    fireEvent.submit(container.querySelector('form')!);
    expect(screen.getByRole('button', { name: 'End all other sessions' })).toBeEnabled();
    await answer({ status: 204 });
    await screen.findByText('All other sessions have ended.');
    expect(screen.getByRole('heading', { name: 'Your sessions' })).toHaveFocus();
    expect(writes(sent)).toEqual([expect.objectContaining({ body: { password: 'correct horse battery' } })]);
  });
});

it('The form that ends all other sessions moves the focus to its heading after Cancel', async () => {
  const { user } = await opened();
  await user.click(screen.getByRole('button', { name: 'End all other sessions' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Your sessions' })).toHaveFocus());
});

it('The form that ends all other sessions shows no refusal of an earlier attempt', async () => {
  const { user, answer } = await opened();
  const open = () => user.click(screen.getByRole('button', { name: 'End all other sessions' }));
  await open();
  await user.keyboard('wrong{Enter}');
  await answer({ status: 403, data: { type: '/problems/wrong-password' } });
  await waitFor(() => expect(document.querySelector('#end-others-error')).toHaveTextContent('is not right'));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await open();
  expect(document.querySelector('#end-others-error')).toBeEmptyDOMElement();
  expect(document.querySelector('#end-others-password')).toHaveAttribute('aria-invalid', 'false');
});

it('The form that ends all other sessions still waits for the answer after the person has closed and opened it', async () => {
  const { user, sent, answer } = await opened();
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  await press('End all other sessions');
  await user.keyboard('correct horse battery{Enter}');
  await press('Cancel');
  await press('End all other sessions');
  expect(screen.getByRole('button', { name: 'End all other sessions' })).toHaveAttribute('aria-busy', 'true');
  await user.keyboard('{Enter}');
  expect(writes(sent)).toHaveLength(1);
  await answer({ status: 204 });
  expect(await screen.findByText('All other sessions have ended.')).toBeVisible();
});

describe('The password form', () => {
  const changing = async (reply: ConsoleReply) => {
    const page = await opened();
    await page.user.type(screen.getByLabelText('Current password'), 'correct horse battery');
    await page.user.type(screen.getByLabelText('New password'), 'staple of the horse');
    await page.user.click(screen.getByRole('button', { name: 'Change password' }));
    await page.answer(reply);
    return page;
  };
  const said = () => document.querySelector('#password-error');
  const problem = (status: number, reason: string): ConsoleReply => ({ status, data: { type: `/problems/${reason}` } });

  it.each<[string, ConsoleReply, string]>([
    ['a wrong password', problem(403, 'wrong-password'), 'The current password is not right.'],
    [
      'no password',
      { status: 403, data: { type: '/problems/wrong-password', why: 'no-password' } },
      'Your account has no password yet. Set one first: choose “Forgot your password?” on the sign-in page.',
    ],
    ['a missing permission', problem(403, 'forbidden'), 'That did not work. Try again.'],
    ['a wrong XSRF token', problem(403, 'xsrf'), 'That did not work. Try again.'],
    [
      'too many attempts',
      { status: 429, headers: { 'retry-after': '40' } },
      'Too many attempts. Try again in 40 seconds.',
    ],
    ['too many attempts without a time', { status: 429 }, 'Too many attempts. Try again later.'],
    ['an internal error', { status: 500 }, 'That did not work. Try again.'],
  ])('shows the reason of a refusal: %s', async (_, reply, words) => {
    await changing(reply);
    await waitFor(() => expect(said()).toHaveTextContent(words));
  });
});

it('A form on the account page contains the username, so that password managers find it', async () => {
  const { container } = await opened();
  const username = container.querySelector('form [autocomplete=username]');
  expect(username).toHaveValue('ada@northwind.example');
  expect(username).toHaveAttribute('type', 'text'); // password managers ignore fields of the type "hidden"
  expect(username).toHaveAttribute('readonly');
  expect(username).toHaveAttribute('tabindex', '-1');
  expect(username!.parentElement).toHaveClass('unseen');
});
