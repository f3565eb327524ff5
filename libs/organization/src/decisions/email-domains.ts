import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import { Hostname } from '../words';

export const EmailDomain = z.strictObject({ domain: Hostname });
export type EmailDomain = z.infer<typeof EmailDomain>;

export const ChangeEmailDomainSettings = z.strictObject({
  domain: Hostname,
  automaticMembership: z.boolean().optional(),
  managed: z.boolean().optional(),
});
export type ChangeEmailDomainSettings = z.infer<typeof ChangeEmailDomainSettings>;

/** A claim has no effect before the proof, so an organization may claim a domain that another organization has. */
export const claimEmailDomain = ({ domain }: EmailDomain, organization: Organization): Decision =>
  domainOf(organization, domain) ? [] : [{ type: 'EmailDomainClaimed', data: { domain } }];

/**
 * Records the proof. The caller must first find the DNS record, and must reserve the domain, because an organization's
 * stream does not show the domains of other organizations.
 */
export function proveEmailDomain({ domain }: EmailDomain, organization: Organization): Decision {
  const known = domainOf(organization, domain);
  if (!known) return noSuchDomain;
  return known.proven ? [] : [{ type: 'EmailDomainProven', data: { domain } }];
}

/** Ends the effects of a proof. The claim stays, so that the organization can prove the domain again. */
export function loseEmailDomain({ domain }: EmailDomain, organization: Organization): Decision {
  return domainOf(organization, domain)?.proven ? [{ type: 'EmailDomainLost', data: { domain } }] : [];
}

export function releaseEmailDomain({ domain }: EmailDomain, organization: Organization): Decision {
  return domainOf(organization, domain) ? [{ type: 'EmailDomainReleased', data: { domain } }] : noSuchDomain;
}

/** A field that the command does not contain keeps its value. */
export function changeEmailDomainSettings(
  { domain, automaticMembership, managed }: ChangeEmailDomainSettings,
  organization: Organization,
): Decision {
  const known = domainOf(organization, domain);
  if (!known) return noSuchDomain;
  if (!known.proven)
    return refuse('not-proven', `Prove ${domain} first: its DNS record has not been found.`, { domain });
  const wanted = {
    automaticMembership: automaticMembership ?? known.automaticMembership,
    managed: managed ?? known.managed,
  };
  if (wanted.automaticMembership === known.automaticMembership && wanted.managed === known.managed) return [];
  return [{ type: 'EmailDomainSettingsChanged', data: { domain, ...wanted } }];
}

/** The stored domain. A hostname such as `constructor` must not match an inherited property. */
const domainOf = ({ emailDomains }: Organization, domain: string) =>
  Object.hasOwn(emailDomains, domain) ? emailDomains[domain] : undefined;

export const noSuchDomain = refuse('no-such-domain', 'This organization has not claimed this domain.');
