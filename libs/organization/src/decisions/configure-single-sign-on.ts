import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';

export const ConfigureSingleSignOn = z.strictObject({ issuer: z.url().max(500), clientId: z.string().min(1).max(500) });
export type ConfigureSingleSignOn = z.infer<typeof ConfigureSingleSignOn>;

/** The event contains only public data; the client secret is in the identity store. */
export function configureSingleSignOn(
  { issuer, clientId }: ConfigureSingleSignOn,
  organization: Organization,
): Decision {
  const { singleSignOn } = organization;
  if (singleSignOn?.issuer === issuer && singleSignOn.clientId === clientId) return [];
  return [{ type: 'SingleSignOnConfigured', data: { issuer, clientId } }];
}
