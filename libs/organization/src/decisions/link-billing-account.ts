import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { ProviderId } from '../words';

export const LinkBillingAccount = z.strictObject({ provider: ProviderId, customer: ProviderId });
export type LinkBillingAccount = z.infer<typeof LinkBillingAccount>;

/**
 * Links a customer. The caller must have claimed the customer for this organization before. The claim is necessary
 * because the organization's stream does not show whether the customer belongs to another organization.
 */
export function linkBillingAccount({ provider, customer }: LinkBillingAccount, organization: Organization): Decision {
  const { billingAccount } = organization;
  if (billingAccount?.provider === provider && billingAccount.customer === customer) return [];
  return [{ type: 'BillingAccountLinked', data: { provider, customer } }];
}
