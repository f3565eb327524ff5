import { entitlementsOf, productEnabled } from '../entitlements';
import { ended, founded, given, now, on } from '../testing/organization.testing';
import { operatorNames, whenClosed, whoMay } from '../testing/who-may.testing';

const enable = { type: 'EnableProduct', data: {} } as const;
const enabled = { type: 'ProductEnabled', data: {} } as const;
const disabled = { type: 'ProductDisabled', data: {} } as const;

describe('EnableProduct', () => {
  it('is recorded once, however often it is sent', () => {
    expect(given(founded).when(enable)).toEqual([enabled]);
    expect(given(founded, enabled).when(enable)).toEqual([]);
  });

  it('is recorded even if a plan of the second product line already enables the product', () => {
    expect(given(founded, on('second/solo')).when(enable)).toEqual([enabled]);
    const { state } = given(founded, on('second/solo'), enabled, ended('second'));
    expect(productEnabled(state())).toBe(true);
  });

  it('restores the features that the product had before it was disabled', () => {
    const before = given(founded, on('second/solo')).state();
    const after = given(founded, on('second/solo'), disabled, enabled).state();
    expect(entitlementsOf(after, now)).toEqual(entitlementsOf(before, now));
  });

  it('may be executed by operators until the organization is closed', () => {
    expect(whoMay(enable, founded)).toEqual(operatorNames);
    expect(whenClosed(enable)).toBe('organization-closed');
  });
});
