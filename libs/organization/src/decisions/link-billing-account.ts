import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { ProviderId } from '../words';

export const LinkBillingAccount = z.strictObject({ provider: ProviderId, customer: ProviderId });
export type LinkBillingAccount = z.infer<typeof LinkBillingAccount>;

/**
 * Links a customer that the caller has claimed before. The claim is needed because this stream does not show whether
 * another organization has the customer.
 */
export function linkBillingAccount({ provider, customer }: LinkBillingAccount, organization: Organization): Decision {
  const { billingAccount } = organization;
  if (billingAccount?.provider === provider && billingAccount.customer === customer) return [];
  return [{ type: 'BillingAccountLinked', data: { provider, customer } }];
}
