import { renderHook } from '@testing-library/react';
import { useFirstTimes } from './useFirstTimes';

const shows = () => renderHook(() => useFirstTimes('a-text', 2)).result.current;

describe('A text that appears only the first times', () => {
  beforeEach(() => localStorage.clear());

  it('appears only the allowed number of times, even if the browser loads the page again', () => {
    expect([shows(), shows(), shows(), shows()]).toEqual([true, true, false, false]);
  });

  it('stays visible while the component that shows it stays mounted', () => {
    const { result, rerender } = renderHook(() => useFirstTimes('a-text', 1));
    rerender();
    expect(result.current).toBe(true);
  });

  it('appears every time if the browser has no local storage, or if the stored count is not a number', () => {
    localStorage.setItem('a-text', 'many');
    expect(shows()).toBe(true);
    const refuse = jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new Error('no storage');
    });
    const write = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('no storage');
    });
    expect([shows(), shows(), shows()]).toEqual([true, true, true]);
    refuse.mockRestore();
    write.mockRestore();
  });
});
