import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { address, openBar, settled } from './renamed-history.testing';

// The browser is never idle, so the code of the open time bar loads only after the person opens the bar.
jest.mock('../../../ui/when-idle', () => ({ whenIdle: () => undefined }));
let mockFails = true;
jest.mock('./OpenBar', () => {
  if (mockFails) throw new Error('Failed to fetch dynamically imported module');
  return jest.requireActual('./OpenBar');
});

/** Presses a key on the focused element. Returns whether the browser then does nothing for this key. */
const isPrevented = (key: string): boolean => !fireEvent.keyDown(window.document.activeElement!, { key });
const button = (name: string) => screen.getByRole('button', { name });

/** Opens the time bar of a page in the past with `t`. The code of the open bar loads only while the test waits. */
async function opensFromBack(): Promise<void> {
  await openBar('?asOf=1191');
  await screen.findByText(/^As recorded by #1,191, /);
  act(() => button('Back to now').focus());
  isPrevented('t');
  expect(screen.queryByRole('slider')).toBeNull();
}

describe('While the code of the open time bar loads, the page', () => {
  it('ignores each character that a person types, although the character is a shortcut', async () => {
    await opensFromBack();
    for (const key of ['n', 'd']) isPrevented(key);
    expect(await screen.findByText('Look back: unavailable right now.')).toBeVisible();
    expect(address()).toBe('?asOf=1191');
    isPrevented('n'); // the bar does not open, so the key is a shortcut again
    await waitFor(() => expect(address()).toBe(''));
  });

  it('ignores Enter and Space on the element from which the person opened the bar, but not on another element', async () => {
    await opensFromBack();
    expect(['Enter', ' '].map(isPrevented)).toEqual([true, true]);
    act(() => button('Look back').focus());
    expect(['Enter', ' '].map(isPrevented)).toEqual([false, false]);
    await settled();
    act(() => button('Back to now').focus());
    expect(['Enter', ' '].map(isPrevented)).toEqual([false, false]);
  });

  it('closes the bar if the person presses Escape, and shows the bar otherwise', async () => {
    mockFails = false;
    await opensFromBack();
    isPrevented('Escape');
    await settled();
    expect(screen.queryByRole('slider')).toBeNull();
    isPrevented('t');
    expect(await screen.findByRole('slider')).toBeVisible();
  });
});
