import { besideWindow, windowOf } from './row-window';

const HEAD = 499_999;
const shownOf = (...[filter, head, named]: Parameters<typeof windowOf>) => {
  const { first, last } = windowOf(filter, head, named)?.shown ?? {};
  return [first, last];
};

describe('The rows of a very long history', () => {
  it.each([
    ['the newest events', {}, HEAD, undefined, [300_000, 499_999]],
    ['the events up to a past moment', {}, 250_000, undefined, [50_001, 250_000]],
    ['the events around a named event', {}, HEAD, 150_000, [50_001, 250_000]],
    ['the first events, if the named event is among them', {}, HEAD, 7, [0, 199_999]],
    ['the newest events, if the named event is among them', { order: 'oldest' }, HEAD, 499_990, [300_000, 499_999]],
    ['the newest events, if the history has no such event', {}, HEAD, 500_000, [300_000, 499_999]],
    ['the newest events of a long range', { from: '10', to: '300009' }, HEAD, undefined, [100_010, 300_009]],
  ])('are 200,000: %s', (_, filter, head, named, shown) => {
    expect(shownOf(filter, head, named)).toEqual(shown);
  });

  it.each([
    ['a history of 200,000 events', {}, 199_999],
    ['a range of 200,000 events', { from: '100000', to: '299999' }, HEAD],
    ['a filter that the service applies page by page', { type: 'MemberAdded' }, HEAD],
  ])('are all rows of %s', (_, filter, head) => {
    expect(windowOf(filter, head, undefined)).toBeUndefined();
  });

  it('lead to the rows before and after them, as a range in the filter', () => {
    const newest = windowOf({}, HEAD, undefined)!;
    expect(besideWindow(newest, -1)).toEqual({ from: '100000', to: '299999' });
    expect(besideWindow(newest, 1)).toBeUndefined();
    const first = windowOf({}, HEAD, 50)!;
    expect(besideWindow(first, -1)).toBeUndefined();
    expect(besideWindow(first, 1)).toEqual({ from: '200000', to: '399999' });
    const middle = windowOf({}, HEAD, 150_000)!;
    expect(besideWindow(middle, -1)).toEqual({ from: '0', to: '50000' });
  });
});
