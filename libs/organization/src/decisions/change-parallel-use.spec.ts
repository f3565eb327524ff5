import { founded, given } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const change = (parallelUse: boolean | null) => ({ type: 'ChangeParallelUse', data: { parallelUse } }) as const;
const changed = (parallelUse: boolean | null) => ({ type: 'ParallelUseChanged', data: { parallelUse } }) as const;

describe('ChangeParallelUse', () => {
  it.each([true, false])('records %s once, and can be undone', (use) => {
    expect(given(founded).when(change(use))).toEqual([changed(use)]);
    expect(given(founded, changed(use)).when(change(use))).toEqual([]);
    expect(given(founded, changed(use)).when(change(null))).toEqual([changed(null)]);
  });

  it('distinguishes false from null, which means never set', () => {
    expect(given(founded).when(change(null))).toEqual([]);
    expect(given(founded, changed(false)).state().parallelUse).toBe(false);
    expect(given(founded, changed(false), changed(null)).state().parallelUse).toBeNull();
  });

  it('is open to stewards until the organization is closed', () => {
    expect(whoMay(change(true), founded)).toEqual(stewardNames);
    expect(whenClosed(change(true))).toBe('organization-closed');
  });
});
