import { renderHook } from '@testing-library/react';
import { useRowHeight } from './useRowHeight';

describe('The height of a row in the history', () => {
  it.each([
    [720, 56],
    [719, 96],
  ])('depends on the width of the list, which an open draft makes narrower: %i pixels', (width, height) => {
    const list = document.createElement('div');
    Object.defineProperty(list, 'clientWidth', { value: width });
    expect(renderHook(() => useRowHeight({ current: list })).result.current).toBe(height);
  });
});
