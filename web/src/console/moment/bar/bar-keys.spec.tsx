import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { address, openBar, settled } from './renamed-history.testing';
import { prepareOpenBar } from './useOpenBar';

/** Presses a key on the focused element. */
const press = (key: string) => void fireEvent.keyDown(window.document.activeElement!, { key });
const field = () => screen.getByLabelText('Moment, or #event');

beforeAll(prepareOpenBar); // as in a browser that was idle for a moment before the first key

describe('The key t', () => {
  it('moves the focus to the moment field before the next key press, so the field gets all characters that a person types fast', async () => {
    await openBar();
    await screen.findByText(/^Now · #1,283/);
    press('t');
    expect(field()).toHaveFocus();
  });

  it('moves the focus to the moment field if the time bar is open already', async () => {
    const { user } = await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    await user.click(screen.getByRole('button', { name: 'Look back' }));
    act(() => field().blur());
    press('t');
    expect(field()).toHaveFocus();
  });
});

describe('The key Escape', () => {
  it('closes the bar, and returns the focus to the element that had the focus before the bar opened', async () => {
    await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    const back = screen.getByRole('button', { name: 'Back to now' });
    act(() => back.focus());
    press('t');
    press('Escape');
    expect(screen.queryByLabelText('Moment, or #event')).toBeNull();
    expect(back).toHaveFocus();
  });

  it('leads to the present only if the person presses no other key between two presses of Escape', async () => {
    await openBar('?asOf=1191');
    await screen.findByText(/^As recorded by #1,191, /);
    for (const key of ['Escape', 't', 'Escape']) press(key);
    await settled();
    expect(address()).toBe('?asOf=1191');
    expect(screen.queryByLabelText('Moment, or #event')).toBeNull(); // so the next t opens the bar
    press('t');
    expect(field()).toHaveFocus();
    for (const key of ['Escape', 'Escape']) press(key);
    await waitFor(() => expect(address()).toBe(''));
    expect(screen.queryByLabelText('Moment, or #event')).toBeNull();
  });
});
