import { act, screen } from '@testing-library/react';
import { renderConsole } from '../open.testing';
import { TooMany } from './TooMany';

const shown = () => screen.getByTestId('note').querySelector('[aria-hidden]')?.textContent;
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));
const opened = (seconds: number | null) =>
  renderConsole(
    <p data-testid="note">
      <TooMany seconds={seconds} />
    </p>,
  );

describe('The text after too many requests', () => {
  afterEach(() => jest.useRealTimers());

  it('counts the seconds down, and then says that the person can try again', async () => {
    jest.useFakeTimers();
    await opened(40);
    expect(shown()).toBe('Too many attempts. Try again in 40 seconds.');
    pass(39_000);
    expect(shown()).toBe('Too many attempts. Try again in 1 second.');
    pass(1_000);
    expect(shown()).toBe('You can try again now.');
  });

  it.each([
    [89, '89 seconds'],
    [90, '2 minutes'],
    [900, '15 minutes'],
    [3_541, '60 minutes'],
  ])('names a waiting time of %i seconds as %s', async (seconds, words) => {
    jest.useFakeTimers();
    await opened(seconds);
    expect(shown()).toBe(`Too many attempts. Try again in ${words}.`);
  });

  it('stays the same for assistive software, which therefore announces the text only once', async () => {
    jest.useFakeTimers();
    await opened(40);
    pass(40_000);
    expect(screen.getByText('Too many attempts. Try again in 40 seconds.')).toHaveClass('unseen');
  });

  it('contains no number of seconds if the answer has no `Retry-After`', async () => {
    await opened(null);
    expect(screen.getByTestId('note')).toHaveTextContent('Too many attempts. Try again later.');
  });
});
