import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { ProviderId } from '../words';

export const LinkBillingAccount = z.strictObject({ provider: ProviderId, customer: ProviderId });
export type LinkBillingAccount = z.infer<typeof LinkBillingAccount>;

/** That a customer belongs to one organization only is claimed before this is asked: no single stream could know. */
export function linkBillingAccount({ provider, customer }: LinkBillingAccount, organization: Organization): Decision {
  const { billingAccount } = organization;
  if (billingAccount?.provider === provider && billingAccount.customer === customer) return [];
  return [{ type: 'BillingAccountLinked', data: { provider, customer } }];
}
