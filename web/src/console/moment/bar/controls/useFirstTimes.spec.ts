import { renderHook } from '@testing-library/react';
import { useFirstTimes } from './useFirstTimes';

const shows = () => renderHook(() => useFirstTimes('a-text', 2)).result.current;

describe('A text of the first times', () => {
  beforeEach(() => localStorage.clear());

  it('appears as often as it may, also after the browser has loaded the page again', () => {
    expect([shows(), shows(), shows(), shows()]).toEqual([true, true, false, false]);
  });

  it('stays while a part of the page shows it', () => {
    const { result, rerender } = renderHook(() => useFirstTimes('a-text', 1));
    rerender();
    expect(result.current).toBe(true);
  });

  it('appears each time in a browser without local storage, or with a damaged count', () => {
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
