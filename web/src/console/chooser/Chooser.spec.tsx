import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Tools } from '../frame/Tools';
import { Chooser } from './Chooser';
import { type SentRequest, renderConsole, type ConsoleReply } from '../open.testing';

const id = (index: number) => `7c1e52f0-0000-4000-8000-${String(index).padStart(12, '0')}`;
const organizations = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: id(from + index), name: `Harbour ${from + index}` }));
const person = { id: 'p', name: 'Ada', username: null, email: null };

/** Answers with 250 organizations, a hundred on each page. */
function answer({ url, params }: SentRequest, me: object): ConsoleReply {
  if (url === '/api/v1/me') return { status: 200, data: me };
  const from = Number(params['cursor'] ?? 0);
  const found = organizations(0, 250).filter(({ name }) => name.includes(params['q'] ?? ''));
  const next = from + 100 < found.length ? String(from + 100) : null;
  return { status: 200, data: { organizations: found.slice(from, from + 100), next } };
}
const choosing = (me: object) =>
  renderConsole(<Chooser />, { answer: (request) => answer(request, { ...person, ...me }) });
const cards = () => screen.getAllByRole('link').map(({ textContent }) => textContent);
const searches = (sent: readonly SentRequest[]) =>
  sent.filter(({ url }) => url === '/api/v1/organizations').map(({ params }) => params['q'] ?? '');

afterEach(() => jest.useRealTimers());

describe('The page on which an operator chooses an organization', () => {
  const operator = { role: 'operator', organizations: [] };

  it('shows every organization, page by page', async () => {
    const { user } = await choosing(operator);
    for (const so of [100, 200, 250]) {
      await waitFor(() => expect(cards()).toHaveLength(so));
      if (so < 250) await user.click(screen.getByRole('button', { name: 'Show more' }));
    }
    expect(cards()).toEqual(organizations(0, 250).map(({ name }) => name));
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  });

  it('shows each organization once after the browser was offline', async () => {
    const { user, sent } = await choosing(operator);
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(cards()).toHaveLength(200));
    const before = sent.length;
    act(() => {
      window.dispatchEvent(new Event('offline'));
      window.dispatchEvent(new Event('online'));
    });
    await waitFor(() => expect(searches(sent.slice(before))).not.toHaveLength(0));
    const more = screen.getByRole('button', { name: 'Show more' });
    await waitFor(() => expect(more).toHaveAttribute('aria-disabled', 'false'));
    expect(cards()).toEqual(organizations(0, 200).map(({ name }) => name));
  });

  it('still shows more organizations after the person has opened the search dialog', async () => {
    const { user } = await renderConsole(
      <>
        <Tools />
        <Chooser />
      </>,
      { answer: (request) => answer(request, { ...person, ...operator }) },
    );
    await user.click(await screen.findByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(cards()).toHaveLength(200));
    await user.keyboard('{Control>}k{/Control}');
    await screen.findByRole('combobox');
    await user.keyboard('{Escape}');
    expect(cards()).toHaveLength(200);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(cards()).toHaveLength(250));
  });

  it('sends a search after a pause in typing, not after each key press', async () => {
    const { sent } = await choosing(operator);
    await screen.findByText('Harbour 99');
    jest.useFakeTimers(); // with real timers, typing on a busy machine could contain a pause
    const user = userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms), delay: 1 });
    await user.type(screen.getByRole('searchbox'), 'bour 24');
    expect(searches(sent)).toEqual(['']);
    await waitFor(() => expect(cards()).toHaveLength(11)); // `waitFor` also advances the fake timers
    expect(searches(sent)).toEqual(['', 'bour 24']);
  });
});

describe('The age of the list of organizations', () => {
  const behind = (seconds: number) =>
    renderConsole(<Chooser />, {
      answer: (request) => ({
        ...answer(request, { ...person, role: 'operator', organizations: [] }),
        headers: { 'charter-lag': String(seconds) },
      }),
    });

  it.each([
    [0.4, ''],
    [3.2, 'as of 3 s ago'],
    [45, 'This list is 45 s behind. Later changes to organizations are missing.'],
  ])('of %d seconds shows "%s"', async (seconds, words) => {
    await behind(seconds);
    await screen.findByText('Harbour 99');
    expect(screen.getAllByRole('status')[0]!.textContent).toBe(words);
  });
});

describe('The page on which a member chooses an organization', () => {
  const member = (count: number) => ({
    role: null,
    organizations: organizations(0, count).map((one) => ({ ...one, role: 'owner' })),
  });

  it('filters the list in the browser if the person has few organizations', async () => {
    const { user, sent } = await choosing(member(12));
    await screen.findByText('Harbour 11');
    await user.type(screen.getByRole('searchbox', { name: 'Filter by name' }), '11');
    expect(cards()).toEqual(['Harbour 11']);
    expect(searches(sent)).toEqual(['']);
  });

  it('finds organizations that the answer to `GET /me` does not contain', async () => {
    const { user } = await choosing(member(100));
    await user.type(await screen.findByRole('searchbox', { name: 'Search by name' }), 'Harbour 249');
    await waitFor(() => expect(cards()).toEqual(['Harbour 249']));
  });
});

it('A person without organizations logs out with one request, even after several presses of the button', async () => {
  const { promise } = Promise.withResolvers<ConsoleReply>();
  const { user, sent } = await renderConsole(<Chooser />, {
    answer: ({ url }) =>
      url === '/logout' ? promise : { status: 200, data: { ...person, role: null, organizations: [] } },
  });
  const leave = await screen.findByRole('button', { name: 'Log out' });
  await user.dblClick(leave);
  expect(leave).toHaveAttribute('aria-disabled', 'true');
  expect(leave).toBeEnabled(); // a browser takes the focus away from a disabled button
  await waitFor(() => expect(sent.filter(({ url }) => url === '/logout')).toHaveLength(1));
});
