import { billing, founded, given } from '../testing/organization.testing';
import { sellerNames, whenClosed, whoMay } from '../testing/who-may.testing';
import type { ServiceLevel } from '../terms';

const assign = (serviceLevel: ServiceLevel) => ({ type: 'AssignServiceLevel', data: { serviceLevel } }) as const;
const assigned = (serviceLevel: ServiceLevel) => ({ type: 'ServiceLevelAssigned', data: { serviceLevel } }) as const;

describe('AssignServiceLevel', () => {
  it.each(['assisted', 'turnkey'] as const)('records %s once, however often the command is sent', (level) => {
    expect(given(founded).when(assign(level))).toEqual([assigned(level)]);
    expect(given(founded, assigned(level)).when(assign(level))).toEqual([]);
  });

  it('records nothing if the level stays `none`, and can set the level to `none` again later', () => {
    expect(given(founded).when(assign('none'))).toEqual([]);
    expect(given(founded, assigned('turnkey')).when(assign('none'))).toEqual([assigned('none')]);
  });

  it('may be executed by operators and billing until the organization is closed, and afterwards by neither', () => {
    expect(whoMay(assign('assisted'), founded)).toEqual(sellerNames);
    expect(whenClosed(assign('assisted'))).toBe('organization-closed');
    expect(whenClosed(assign('assisted'), billing('evt_1'))).toBe('organization-closed');
  });
});
