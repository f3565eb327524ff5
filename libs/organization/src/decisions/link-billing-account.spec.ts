import { billing, founded, given } from '../testing/organization.testing';
import { sellerNames, whenClosed, whoMay } from '../testing/who-may.testing';

const link = (customer: string, provider = 'stripe') =>
  ({ type: 'LinkBillingAccount', data: { provider, customer } }) as const;
const linked = (customer: string, provider = 'stripe') =>
  ({ type: 'BillingAccountLinked', data: { provider, customer } }) as const;

describe('LinkBillingAccount', () => {
  it('records the customer once, however often the command is sent', () => {
    expect(given(founded).when(link('cus_1'))).toEqual([linked('cus_1')]);
    expect(given(founded, linked('cus_1')).when(link('cus_1'))).toEqual([]);
  });

  it.each([
    ['another customer', link('cus_2')],
    ['the same customer id of another provider', link('cus_1', 'other')],
  ])('replaces the earlier link with %s', (_what, command) => {
    const event = linked(command.data.customer, command.data.provider);
    expect(given(founded, linked('cus_1')).when(command)).toEqual([event]);
    expect(given(founded, linked('cus_1'), event).state().billingAccount).toEqual(command.data);
  });

  it('may be executed by operators and billing until the organization is closed, and afterwards by neither', () => {
    expect(whoMay(link('cus_1'), founded)).toEqual(sellerNames);
    expect(whenClosed(link('cus_1'))).toBe('organization-closed');
    expect(whenClosed(link('cus_1'), billing('evt_1'))).toBe('organization-closed');
  });
});
