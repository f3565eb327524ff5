import { refuse } from '@charter/decider';
import { z } from 'zod';
import type { Decision } from '../decision';
import type { Organization } from '../state';
import type { DomainList } from '../terms';
import { Id } from '../words';

export const RemoveDomain = z.strictObject({ domain: Id });
export type RemoveDomain = z.infer<typeof RemoveDomain>;

/** Possible without the feature too: a downgrade must not keep anyone from tidying up. */
const removeDomainFrom =
  (list: DomainList, type: 'QualityAssuranceDomainRemoved' | 'WebAnalyticsDomainRemoved') =>
  ({ domain }: RemoveDomain, organization: Organization): Decision => {
    if (!organization[list][domain]) return refuse('no-such-domain', 'This organization has no such domain.');
    return [{ type, data: { domain } }];
  };

export const removeQualityAssuranceDomain = removeDomainFrom('qualityAssurance', 'QualityAssuranceDomainRemoved');
export const removeWebAnalyticsDomain = removeDomainFrom('webAnalytics', 'WebAnalyticsDomainRemoved');
