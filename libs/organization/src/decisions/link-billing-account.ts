import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { ProviderId } from '../words';

export const LinkBillingAccount = z.strictObject({ provider: ProviderId, customer: ProviderId });
export type LinkBillingAccount = z.infer<typeof LinkBillingAccount>;

/**
 * The caller has claimed the customer before it sends the command. This stream cannot show whether another organization
 * has the customer.
 */
export function linkBillingAccount({ provider, customer }: LinkBillingAccount, organization: Organization): Decision {
  const { billingAccount } = organization;
  if (billingAccount?.provider === provider && billingAccount.customer === customer) return [];
  return [{ type: 'BillingAccountLinked', data: { provider, customer } }];
}
