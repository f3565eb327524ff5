import type { Charter } from '@charter/application';
import { type Immutable, type Moment, momentAt } from '@charter/decider';
import { type Organization, organizationStream, unicodeOf } from '@charter/organization';
import { recordFor } from './dns-challenge';
import type { VerifiedDomain } from './domain.answers';
import { emailDomainIn } from './domain-trust';

/** The number of days for which a proven domain works without its DNS record. */
const GRACE_DAYS = 14;
export const DAY_MS = 86_400_000;

/**
 * The earliest moment at which a domain without its DNS record stops working. Only a daily check ends a domain, so this
 * moment is at least a day after the last check.
 */
export const endOf = (missing: Moment, checked: Moment): Moment =>
  momentAt(Math.max(Date.parse(missing) + GRACE_DAYS * DAY_MS, Date.parse(checked) + DAY_MS));

/**
 * A domain as answers show it; undefined if the organization has not claimed the domain. A domain is proven only if the
 * organization's stream and the table of proven domains agree, and the organization is not closed.
 */
export async function printedDomain(
  { database, organizations, keyFor }: Pick<Charter, 'database' | 'organizations' | 'keyFor'>,
  id: string,
  domain: string,
): Promise<VerifiedDomain | undefined> {
  const row = await database.provenDomains.find(domain);
  return organizations.query(organizationStream(id), ({ state }) => {
    const entry = emailDomainIn(state, domain);
    const works = !state.closed && entry?.proven === true && row?.organization === id;
    const lapse = works && row.missing !== null ? { since: row.missing, until: endOf(row.missing, row.checked) } : null;
    return entry && printed({ keyFor }, { id, domain, entry, works, lapse });
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
  state: Immutable<Pick<Organization, 'emailDomains' | 'closed'>>,
): VerifiedDomain | undefined {
  const entry = emailDomainIn(state, domain);
  return entry && printed(needs, { id, domain, entry, works: !state.closed && entry.proven, lapse: null });
}

type Printed = Readonly<{
  id: string;
  domain: string;
  entry: Immutable<Organization['emailDomains'][string]>;
  works: boolean;
  /** The moment of the first check without the record, and the end of the domain; null if the record is not missing. */
  lapse: Readonly<{ since: Moment; until: Moment }> | null;
}>;

function printed(needs: Pick<Charter, 'keyFor'>, { id, domain, entry, works, lapse }: Printed): VerifiedDomain {
  return {
    ...{ domain, unicode: unicodeOf(domain) },
    state: !works ? 'claimed' : lapse === null ? 'proven' : 'lapsing',
    record: recordFor(needs, id, domain),
    since: lapse?.since ?? entry.at,
    until: lapse?.until ?? null,
    automaticMembership: works && entry.automaticMembership,
    managed: works && entry.managed,
  };
}
