import { act, fireEvent, screen } from '@testing-library/react';
import { DataWarnings } from '../frame/DataWarnings';
import { renderConsole } from '../open.testing';
import type { CallFailure } from '../problem';
import { Region } from './Region';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());
const pass = (seconds: number) => {
  for (let step = 0; step < seconds; step += 1) act(() => jest.advanceTimersByTime(1_000));
};

type Query = { data?: string; currentData?: string; error?: CallFailure; isFetching?: boolean; isLoading?: boolean };
const region = (query: Query, refetch = jest.fn()) => (
  <Region<string> name="Limits" query={{ isFetching: false, ...query, refetch }}>
    {(data) => <p>{data}</p>}
  </Region>
);
const trouble = (about: Partial<CallFailure> = {}): CallFailure => ({
  status: 500,
  reason: 'fault',
  request: 'a-request',
  retryAfter: null,
  ...about,
});

describe('A region of a page', () => {
  it('says within a second, but not at once, that it is loading', async () => {
    await renderConsole(region({ isFetching: true }));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    pass(1);
    expect(screen.getByRole('status')).toHaveTextContent('Loading: Limits');
  });

  it('shows a failure with the id of the request, and a button that loads the content again', async () => {
    const refetch = jest.fn();
    await renderConsole(region({ error: trouble() }, refetch));
    expect(screen.getByRole('alert')).toHaveTextContent('Limits: unavailable right now.');
    expect(screen.getByText('a-request')).toBeVisible();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refetch).toHaveBeenCalledTimes(1);
  });

  it('hides the parts below it until its first answer or failure, but not while it asks again after the failure', async () => {
    const isWaiting = () => document.querySelector('[data-waits]') !== null;
    const page = await renderConsole(region({ isFetching: true, isLoading: true }));
    expect(isWaiting()).toBe(true);
    page.unmount();
    await renderConsole(region({ error: trouble(), isFetching: true, isLoading: true }));
    expect(isWaiting()).toBe(false);
  });

  it('keeps its content after a failed refresh', async () => {
    await renderConsole(region({ data: '7 of 8', currentData: '7 of 8', error: trouble() }));
    expect(screen.getByText('7 of 8')).toBeVisible();
    expect(screen.getByRole('alert')).toBeVisible();
  });

  it('hides the answer about another moment when it shows a failure', async () => {
    await renderConsole(region({ data: '7 of 8', error: trouble() }));
    expect(screen.queryByText('7 of 8')).toBeNull();
    expect(screen.getByRole('alert')).toBeVisible();
  });

  it('keeps its content during a refresh, and hides the previous failure', async () => {
    const { container } = await renderConsole(region({ data: '7 of 8', error: trouble(), isFetching: true }));
    expect(screen.getByText('7 of 8')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(container.firstElementChild).toHaveAttribute('aria-busy', 'true');
  });
});

describe('A refusal with a time to wait', () => {
  it.each([429, 503])(
    'with the status %d, is announced once and counts down; then the page asks again',
    async (status) => {
      const refetch = jest.fn();
      const page = await renderConsole(region({ error: trouble({ status, retryAfter: 2 }) }, refetch));
      const words = (left: string) => `The service has asked this page to wait. The page asks again in ${left}.`;
      expect(screen.getByRole('alert')).toHaveTextContent(words('2 seconds'));
      pass(1);
      expect(screen.getByText(words('1 second'))).toBeVisible();
      expect(screen.getByRole('alert')).toHaveTextContent(words('2 seconds'));
      expect(refetch).not.toHaveBeenCalled();
      pass(1);
      expect(refetch).toHaveBeenCalledTimes(1);
      page.unmount();
    },
  );

  it('lets the person try again at once if it contains no time', async () => {
    await renderConsole(region({ error: trouble({ status: 429 }) }));
    expect(screen.getByRole('alert')).toHaveTextContent('Too many attempts. Try again later.');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
  });
});

it('The console shows a banner while the browser is offline', async () => {
  const online = jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(true);
  await renderConsole(<DataWarnings />);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  online.mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByRole('status')).toHaveTextContent('You are offline. This page shows the last update.');
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  online.mockRestore();
});
