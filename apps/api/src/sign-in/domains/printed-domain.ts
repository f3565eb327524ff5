import type { Charter } from '@charter/application';
import { momentAt } from '@charter/decider';
import { organizationStream } from '@charter/organization';
import { orUnavailable } from '../../http/problems/problem';
import { recordFor } from './dns-challenge';
import type { VerifiedDomain } from './domain.answers';
import { emailDomainIn } from './domain-trust';

/** The number of days for which a proven domain works without its DNS record. */
const GRACE_DAYS = 14;
export const DAY_MS = 86_400_000;

/** The moment from which a domain without its DNS record no longer works. */
export const graceEnd = (missing: string): string => momentAt(Date.parse(missing) + GRACE_DAYS * DAY_MS);

/**
 * A domain as answers show it; undefined if the organization has not claimed the domain. A domain is proven only if the
 * organization's stream and the table of proven domains agree.
 */
export async function printedDomain(
  { database, organizations, keyFor }: Pick<Charter, 'database' | 'organizations' | 'keyFor'>,
  id: string,
  domain: string,
): Promise<VerifiedDomain | undefined> {
  const row = await orUnavailable(database.provenDomains.find(domain));
  return organizations.query(organizationStream(id), ({ state }) => {
    const entry = emailDomainIn(state, domain);
    if (!entry) return undefined;
    const { at, automaticMembership, managed } = entry;
    const missing = row?.missing ?? null;
    const works = entry.proven && row?.organization === id;
    return {
      domain,
      state: !works ? 'claimed' : missing === null ? 'proven' : 'lapsing',
      record: recordFor({ keyFor }, id, domain),
      since: (works ? missing : null) ?? at,
      until: works && missing !== null ? graceEnd(missing) : null,
      automaticMembership: works && automaticMembership,
      managed: works && managed,
    };
  });
}
