import { productEnabled } from '../entitlements';
import { founded, given, on } from '../testing/organization.testing';
import { operatorNames, whenClosed, whoMay } from '../testing/who-may.testing';

const disable = { type: 'DisableProduct', data: {} } as const;
const enabled = { type: 'ProductEnabled', data: {} } as const;
const disabled = { type: 'ProductDisabled', data: {} } as const;

describe('DisableProduct', () => {
  it.each([
    ['was never set', [founded]],
    ['is enabled by a plan', [founded, on('second/solo')]],
    ['was enabled manually', [founded, enabled]],
  ])('is recorded once when the product %s', (_which, before) => {
    expect(given(...before).when(disable)).toEqual([disabled]);
    expect(given(...before, disabled).when(disable)).toEqual([]);
    expect(productEnabled(given(...before, disabled).state())).toBe(false);
  });

  it('may be executed by operators until the organization is closed', () => {
    expect(whoMay(disable, founded)).toEqual(operatorNames);
    expect(whenClosed(disable)).toBe('organization-closed');
  });
});
