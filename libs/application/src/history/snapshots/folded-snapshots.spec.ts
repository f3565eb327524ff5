import { initial } from '@charter/organization';
import { createFoldedSnapshots, type FoldedSnapshot } from './folded-snapshots';

const at = '2026-11-01T00:00:00.000Z';
/** A state whose `sizes` contain this number of members. The cache counts only `sizes`. */
const stateOf = (revision: number, members: number): FoldedSnapshot => {
  const state = initial();
  return {
    folded: { state: { ...state, sizes: { ...state.sizes, members } }, revision, at },
    ...{ hash: `hash ${revision}`, inForceBy: at },
  };
};

describe('Cached states', () => {
  it('of a large organization are spread evenly over the history: about ten of fifty states stay in the cache', () => {
    const snapshots = createFoldedSnapshots();
    for (let revision = 1_000; revision <= 50_000; revision += 1_000) snapshots.add('large', stateOf(revision, 9_000));
    const found = new Set(
      Array.from({ length: 50 }, (_, index) => snapshots.revisionBefore('large', (index + 1) * 1_000)),
    );
    expect(found.size).toBeGreaterThan(8);
    expect(found.size).toBeLessThan(13); // 12 such states exceed the maximum of 100,000 entries
    expect(snapshots.before('large', 49_999)?.hash).toMatch(/^hash \d+$/);
  });

  it('are at most 128 for one organization', () => {
    const snapshots = createFoldedSnapshots();
    for (let revision = 0; revision < 400; revision += 1) snapshots.add('small', stateOf(revision, 1));
    const found = new Set(Array.from({ length: 400 }, (_, revision) => snapshots.revisionBefore('small', revision)));
    expect([...found].filter((revision) => revision >= 0)).toHaveLength(128);
  });

  it('are copies, so that a fold of one of them does not change the cache', () => {
    const snapshots = createFoldedSnapshots();
    snapshots.add('small', stateOf(5, 1));
    snapshots.before('small', 5)!.folded.state.name = 'changed';
    expect(snapshots.before('small', 5)!.folded.state.name).toBe('');
  });
});
