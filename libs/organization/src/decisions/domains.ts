import { refuse } from '@charter/decider';
import { z } from 'zod';
import { type DecisionContext, type Decision, featureOff, limitExceeded } from '../decision';
import { hasHostname, type Organization } from '../state';
import type { DomainList } from '../terms';
import { Hostname, Id } from '../words';

export const AddDomain = z.strictObject({ hostname: Hostname, domain: Id.optional() });
export type AddDomain = z.infer<typeof AddDomain> & { domain: string };

export const RemoveDomain = z.strictObject({ domain: Id });
export type RemoveDomain = z.infer<typeof RemoveDomain>;

/**
 * Adds a domain if the list's feature is on and the list has room. The rule checks the feature first, because the
 * refusal about the feature explains more than the refusal about a full list.
 */
const addDomainTo =
  (list: DomainList, type: 'QualityAssuranceDomainAdded' | 'WebAnalyticsDomainAdded') =>
  ({ hostname, domain }: AddDomain, organization: Organization, { at, catalogue }: DecisionContext): Decision => {
    const known = organization[list][domain];

    if (known?.hostname === hostname) return []; // a repeated command records no event
    if (known) return refuse('id-taken', 'Another domain has this id.', { domain });
    const off = featureOff(list, organization, catalogue);
    if (off) return off;
    if (hasHostname(organization[list], hostname))
      return refuse('hostname-taken', `${hostname} is in this list already.`, { hostname });

    const full = limitExceeded(list, organization, at);
    return full ?? [{ type, data: { domain, hostname } }];
  };

export const addQualityAssuranceDomain = addDomainTo('qualityAssurance', 'QualityAssuranceDomainAdded');
export const addWebAnalyticsDomain = addDomainTo('webAnalytics', 'WebAnalyticsDomainAdded');

/** Removes a domain even while the feature is off, so that a customer can clean up after a change to a smaller plan. */
const removeDomainFrom =
  (list: DomainList, type: 'QualityAssuranceDomainRemoved' | 'WebAnalyticsDomainRemoved') =>
  ({ domain }: RemoveDomain, organization: Organization): Decision => {
    if (!organization[list][domain]) return refuse('no-such-domain', 'This organization has no such domain.');
    return [{ type, data: { domain } }];
  };

export const removeQualityAssuranceDomain = removeDomainFrom('qualityAssurance', 'QualityAssuranceDomainRemoved');
export const removeWebAnalyticsDomain = removeDomainFrom('webAnalytics', 'WebAnalyticsDomainRemoved');
