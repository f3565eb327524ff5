import { productEnabled } from '../entitlements';
import { founded, given, on } from '../testing/organization.testing';
import { operators, whenClosed, whoMay } from '../testing/who-may.testing';

const disable = { type: 'DisableProduct', data: {} } as const;
const enabled = { type: 'ProductEnabled', data: {} } as const;
const disabled = { type: 'ProductDisabled', data: {} } as const;

describe('disabling the product', () => {
  it.each([
    ['that was never set', [founded]],
    ['that a plan enables', [founded, on('second/solo')]],
    ['that was enabled by hand', [founded, enabled]],
  ])('is recorded for one %s, once', (_which, before) => {
    expect(given(...before).when(disable)).toEqual([disabled]);
    expect(given(...before, disabled).when(disable)).toEqual([]);
    expect(productEnabled(given(...before, disabled).state())).toBe(false);
  });

  it('is the word of operators, until the organization is closed', () => {
    expect(whoMay(disable, founded)).toEqual(operators);
    expect(whenClosed(disable)).toBe('organization-closed');
  });
});
