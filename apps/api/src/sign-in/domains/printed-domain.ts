import type { Charter } from '@charter/application';
import { type Immutable, type Moment, momentAt } from '@charter/decider';
import { type Organization, organizationStream, unicodeOf } from '@charter/organization';
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
    const works = entry?.proven === true && row?.organization === id;
    return entry && printed({ keyFor }, { id, domain, entry, works, missing: works ? row.missing : null });
  });
}

/**
 * A domain at an earlier moment; undefined if the organization had not claimed the domain. The history does not contain
 * the daily checks, so the state is never `lapsing`.
 */
export function pastDomain(
  needs: Pick<Charter, 'keyFor'>,
  id: string,
  domain: string,
  state: Immutable<Pick<Organization, 'emailDomains'>>,
): VerifiedDomain | undefined {
  const entry = emailDomainIn(state, domain);
  return entry && printed(needs, { id, domain, entry, works: entry.proven, missing: null });
}

type Printed = Readonly<{
  id: string;
  domain: string;
  entry: Immutable<Organization['emailDomains'][string]>;
  works: boolean;
  /** The moment of the first check without the record; null if the last check found the record. */
  missing: Moment | null;
}>;

function printed(needs: Pick<Charter, 'keyFor'>, { id, domain, entry, works, missing }: Printed): VerifiedDomain {
  return {
    ...{ domain, unicode: unicodeOf(domain) },
    state: !works ? 'claimed' : missing === null ? 'proven' : 'lapsing',
    record: recordFor(needs, id, domain),
    since: missing ?? entry.at,
    until: missing === null ? null : graceEnd(missing),
    automaticMembership: works && entry.automaticMembership,
    managed: works && entry.managed,
  };
}
