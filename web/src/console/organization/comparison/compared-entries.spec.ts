import { comparedEntries } from './compared-entries';

const site = (_id: string, name: string, since = 1) => ({ _id, name, since });

describe('The comparison of a list with the present', () => {
  it('marks removed, added and changed entries, and keeps the entries in the order of the shown list', () => {
    const shown = [site('a', 'Shop'), site('b', 'Help'), site('c', 'Blog')];
    const present = [site('d', 'New'), site('c', 'Journal'), site('a', 'Shop')];
    expect(comparedEntries(shown, present)).toEqual([
      { entry: shown[0], present: present[2] },
      { entry: shown[1], present: undefined, mark: 'removed' },
      { entry: shown[2], present: present[1], mark: 'changed' },
      { entry: present[0], present: present[0], mark: 'added' },
    ]);
  });

  it('marks nothing while the page shows the present', () => {
    const shown = [site('a', 'Shop')];
    expect(comparedEntries(shown, undefined)).toEqual([{ entry: shown[0], present: undefined }]);
  });

  it('ignores values that the page does not show', () => {
    const compared = comparedEntries([site('a', 'Shop', 1)], [site('a', 'Shop', 9)], ({ name }) => name);
    expect(compared[0]!.mark).toBeUndefined();
  });
});
