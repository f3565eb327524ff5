import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ConsoleReply, SentRequest } from '../../open.testing';
import { address, heading, openBar, opensSlider, service, settled } from './renamed-history.testing';

/** Opens the page of the domains. The service answers the keys `[` and `]` only when the spec calls `release`. */
async function opensDomains(search = '?asOf=1191') {
  let held: (() => void)[] = [];
  const answer = (request: SentRequest): ConsoleReply | Promise<ConsoleReply> =>
    request.params['about'] === undefined
      ? service(request)
      : new Promise((resolve) => void held.push(() => resolve(service(request))));
  const page = await openBar(search, answer, 'domains');
  await screen.findByText(search === '' ? /^Now · #1,283/ : /^As recorded by #1,191, /);
  const release = async () => {
    await waitFor(() => expect(held).not.toHaveLength(0));
    await act(async () => {
      for (const one of held) one();
      held = [];
      await Promise.resolve();
    });
    await settled();
  };
  const asked = () => held.length;
  return { ...page, release, asked };
}
const press = (key: string) => fireEvent.keyDown(window.document.body, { key });
const path = () => window.document.querySelector('output')?.title.split('/').slice(3).join('/');
const goesBack = () => fireEvent.click(screen.getByTestId('back'));

describe('A late answer to the key [ or ]', () => {
  it('does not lead back to a page that the person has left', async () => {
    const { release } = await opensDomains();
    press(']');
    fireEvent.click(screen.getByRole('link', { name: 'Another page' }));
    await release();
    expect(path()).toBe('plan');
    expect(address()).toBe('');
  });

  it('does not lead back to an organization that the person has left', async () => {
    const { release } = await opensDomains();
    press(']');
    fireEvent.click(screen.getByRole('link', { name: 'Another organization' }));
    await release();
    expect(path()).toBeUndefined();
  });

  it('does not lead back while the next page still loads', async () => {
    const { release } = await opensDomains();
    press(']');
    window.history.pushState(undefined, '', '/plan'); // the browser shows the address of a page before the page
    await release();
    window.history.back();
    await settled();
    expect(address()).toBe('?asOf=1191');
  });

  it.each([
    ['n', ['n']],
    ['Escape twice', ['Escape', 'Escape']],
  ])('does not lead to the past after %s has led to the present', async (_, keys) => {
    const { release } = await opensDomains();
    press(']');
    for (const key of keys) press(key);
    await release();
    expect(address()).toBe('');
  });

  it('does not lead to the past if the page has stayed in the present after n', async () => {
    const { release } = await opensDomains('');
    press('[');
    press('n');
    await release();
    expect(address()).toBe('');
  });

  it('does not end a move of the slider', async () => {
    const { release } = await opensDomains();
    const slider = await opensSlider();
    (window.document.activeElement as HTMLElement).blur();
    press('[');
    fireEvent.change(slider, { target: { value: '1100' } });
    await release();
    await waitFor(() => expect(address()).toBe('?asOf=1100'));
  });

  it('makes one entry of the browser history for presses in quick succession', async () => {
    const { release, asked } = await opensDomains('');
    press('[');
    await waitFor(() => expect(asked()).not.toBe(0));
    const once = asked();
    for (const key of '[[') press(key);
    await settled();
    expect(asked()).toBe(once);
    await release();
    expect(address()).toBe('?asOf=1250');
    press('[');
    await release();
    expect(address()).toBe('?asOf=700');
    goesBack();
    await waitFor(() => expect(address()).toBe('?asOf=1250'));
    goesBack();
    await waitFor(() => expect(address()).toBe(''));
  });

  it('keeps the changes of the address that the person has made since', async () => {
    const { release } = await opensDomains();
    press('[');
    press('d');
    await release();
    expect(address()).toBe('?vs=none&asOf=700');
  });
});

describe('A move of the slider', () => {
  /** Chooses event 1,191 and then event 1,000, and begins to move the slider to event 1,100. */
  async function begins(): Promise<void> {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    const slider = await opensSlider();
    await user.type(screen.getByLabelText('Moment, or #event'), '#1000{Enter}');
    await waitFor(() => expect(address()).toBe('?asOf=1000'));
    await screen.findByText(/^As recorded by #1,000, /);
    (window.document.activeElement as HTMLElement).blur();
    fireEvent.change(slider, { target: { value: '1100' } });
  }
  const rests = async () => {
    await settled();
    await settled();
  };

  it('changes only the moment in the address when it comes to rest', async () => {
    await begins();
    press('d');
    await rests();
    expect(address()).toBe('?vs=none&asOf=1100');
  });

  it('ends when Back leads to another moment', async () => {
    await begins();
    goesBack();
    await waitFor(async () => expect(await heading()).toHaveTextContent(/^Name 1191 /));
    await rests();
    expect(address()).toBe('?asOf=1191');
    expect(await heading()).toHaveTextContent(/^Name 1191 /);
  });

  it('ends when Back leads to the moment of an earlier move', async () => {
    await begins();
    await waitFor(() => expect(address()).toBe('?asOf=1100'));
    await screen.findByText(/^As recorded by #1,100, /);
    fireEvent.keyDown(window.document.body, { key: 'n' });
    await waitFor(() => expect(address()).toBe(''));
    await waitFor(async () => expect(await heading()).toHaveTextContent(/^Northwind GmbH$/));
    fireEvent.change(screen.getByRole('slider'), { target: { value: '1200' } });
    goesBack();
    await waitFor(() => expect(address()).toBe('?asOf=1100'));
    await rests();
    expect(address()).toBe('?asOf=1100');
  });

  it('does not lead back while the next page still loads', async () => {
    await begins();
    window.history.pushState(undefined, '', '/plan'); // the browser shows the address of a page before the page
    await rests();
    window.history.back();
    await settled();
    expect(address()).toBe('?asOf=1000');
  });
});
