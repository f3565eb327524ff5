import { founded, given } from '../testing/organization.testing';
import { stewardNames, whenClosed, whoMay } from '../testing/who-may.testing';

const change = (parallelUse: boolean | null) => ({ type: 'ChangeParallelUse', data: { parallelUse } }) as const;
const changed = (parallelUse: boolean | null) => ({ type: 'ParallelUseChanged', data: { parallelUse } }) as const;

describe('ChangeParallelUse', () => {
  it.each([true, false])('records the value %s once, and can change the value back', (use) => {
    expect(given(founded).when(change(use))).toEqual([changed(use)]);
    expect(given(founded, changed(use)).when(change(use))).toEqual([]);
    expect(given(founded, changed(use)).when(change(null))).toEqual([changed(null)]);
  });

  it('records nothing for null if the value was never set; the state distinguishes false from null', () => {
    expect(given(founded).when(change(null))).toEqual([]);
    expect(given(founded, changed(false)).state().parallelUse).toBe(false);
    expect(given(founded, changed(false), changed(null)).state().parallelUse).toBeNull();
  });

  it('may be executed by admins, owners and operators until the organization is closed', () => {
    expect(whoMay(change(true), founded)).toEqual(stewardNames);
    expect(whenClosed(change(true))).toBe('organization-closed');
  });
});
