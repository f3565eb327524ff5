import { bought, closed, founded, given, now, on } from '../testing/organization.testing';
import { entitlementsOf } from '../entitlements';
import { operatorNames, whenClosed, whoMay } from '../testing/who-may.testing';

const close = (reason = 'moved away') => ({ type: 'CloseOrganization', data: { reason } }) as const;

describe('CloseOrganization', () => {
  it('records the reason once, even if a second command gives another reason', () => {
    expect(given(founded).when(close())).toEqual([closed]);
    expect(given(founded, closed).when(close())).toEqual([]);
    expect(whenClosed(close('for another reason'))).toEqual([]);
  });

  it('switches off every feature, with the closing as the first reason', () => {
    const state = given(founded, on('second/teams'), bought(1, 'feedback'), closed).state();
    for (const { on, because } of Object.values(entitlementsOf(state, now).features))
      expect([on, because[0]]).toEqual([false, { kind: 'closed', what: 'moved away', event: 3, at: now }]);
  });

  it('may be executed only by operators', () => {
    expect(whoMay(close(), founded)).toEqual(operatorNames);
  });
});
