import { act, renderHook } from '@testing-library/react';
import { compressedPause, usePlay } from './usePlay';

const [MINUTE, DAY] = [60_000, 86_400_000];

describe('Play', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const playing = (gap: number | undefined) => {
    const move = jest.fn();
    const gapAhead = () => gap;
    const { result } = renderHook(() => usePlay(move, true, gapAhead, 7));
    return { result, move };
  };

  it('moves the page to the next event after a second', () => {
    const { result, move } = playing(MINUTE);
    act(() => result.current.play());
    act(() => jest.advanceTimersByTime(999));
    expect(move).not.toHaveBeenCalled();
    act(() => jest.advanceTimersByTime(1));
    expect(move.mock.calls).toEqual([[1]]);
  });

  it('moves the page one event a second, also if the page gets another address between two steps', () => {
    const move = jest.fn();
    // The bar gives a new function for each address; only the newest function knows the newest address.
    const withAddress = (address: string) => ({ move: () => move(address), revision: 7 });
    const { result, rerender } = renderHook((of) => usePlay(of.move, true, () => undefined, of.revision), {
      initialProps: withAddress('old'),
    });
    act(() => result.current.play());
    act(() => jest.advanceTimersByTime(600));
    rerender(withAddress('new'));
    act(() => jest.advanceTimersByTime(400));
    expect(move.mock.calls).toEqual([['new']]);
    rerender({ ...withAddress('new'), revision: 8 });
    act(() => jest.advanceTimersByTime(1_000));
    expect(move).toHaveBeenCalledTimes(2);
  });

  it('with the pace `compressed` moves after a pause that depends on the time between two events', () => {
    const { result, move } = playing(MINUTE);
    act(() => result.current.setPace('compressed'));
    act(() => result.current.play());
    act(() => jest.advanceTimersByTime(199));
    expect(move).not.toHaveBeenCalled();
    act(() => jest.advanceTimersByTime(1));
    expect(move.mock.calls).toEqual([[1]]);
  });

  it('with the pace `compressed` waits a second if the page does not know the next event yet', () => {
    const { result, move } = playing(undefined);
    act(() => result.current.setPace('compressed'));
    act(() => result.current.play());
    act(() => jest.advanceTimersByTime(999));
    expect(move).not.toHaveBeenCalled();
    act(() => jest.advanceTimersByTime(1));
    expect(move).toHaveBeenCalledTimes(1);
  });

  it('pauses longer if the time between two events is longer, from a tenth of a second up to two seconds', () => {
    const pauses = [-5, 0, MINUTE, 60 * MINUTE, DAY, 30 * DAY, 3_650 * DAY].map((gap) => compressedPause(gap));
    expect(pauses[0]).toBe(100);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(new Set(pauses.slice(1)).size).toBe(6);
    expect(pauses.at(-1)).toBe(2_000);
  });
});
