import { comparedEntries } from './compared-entries';

const site = (_id: string, name: string, since = 1) => ({ _id, name, since });

describe('The comparison of a list with another moment', () => {
  const shown = [site('a', 'Shop'), site('b', 'Help'), site('c', 'Blog')];
  const list = [site('d', 'New'), site('c', 'Journal'), site('a', 'Shop')];

  it('marks removed, added and changed entries, and keeps the order of the page', () => {
    expect(comparedEntries(shown, { list, isEarlier: false })).toEqual([
      { entry: shown[0], other: list[2], isHere: true },
      { entry: shown[1], other: undefined, isHere: true, mark: 'removed' },
      { entry: shown[2], other: list[1], isHere: true, mark: 'changed' },
      { entry: list[0], other: list[0], isHere: false, mark: 'added' },
    ]);
  });

  it('marks the opposite if the other moment is earlier', () => {
    const marks = comparedEntries(shown, { list, isEarlier: true }).map(({ isHere, mark }) => [isHere, mark]);
    expect(marks).toEqual([
      [true, undefined],
      [true, 'added'],
      [true, 'changed'],
      [false, 'removed'],
    ]);
  });

  it.each([undefined, { list: undefined, isEarlier: false }])('marks nothing without another list: %j', (other) => {
    expect(comparedEntries(shown.slice(0, 1), other)).toEqual([{ entry: shown[0], other: undefined, isHere: true }]);
  });

  it('ignores values that the page does not show', () => {
    const other = { list: [site('a', 'Shop', 9)], isEarlier: false };
    const compared = comparedEntries([site('a', 'Shop', 1)], other, ({ name }) => name);
    expect(compared[0]!.mark).toBeUndefined();
  });
});
