import { momentAt, type Moment } from '@charter/decider';
import type { Tables } from './schema/schema';

/** The organization that has proven an e-mail domain, and the results of the daily checks of its DNS record. */
export type ProvenDomain = Readonly<{
  domain: string;
  organization: string;
  /** The moment of the last check. */
  checked: Moment;
  /** The moment of the first check that did not find the record; null if the last check found the record. */
  missing: Moment | null;
}>;

/**
 * Stores which organization has proven each e-mail domain. A domain belongs to at most one organization. The process
 * claims the domain before it appends the event that records the proof.
 */
export type ProvenDomains = Readonly<{
  /**
   * Claims the domain for the organization. `new`: no organization had claimed it; `known`: this organization has
   * already claimed it; `taken`: another organization has claimed it.
   * @param checked the moment of the last check in milliseconds since 1970
   */
  claim(domain: string, organization: string, checked: number): Promise<'new' | 'known' | 'taken'>;
  /** Removes the claim of this organization. Does not change a claim of another organization. */
  takeBack(domain: string, organization: string): Promise<void>;
  find(domain: string): Promise<ProvenDomain | undefined>;
  /** The claims with their last check before this moment. The oldest check comes first. */
  checkedBefore(moment: number, limit: number): Promise<readonly ProvenDomain[]>;
  /** Records a check. `missing` is null if the check found the record. */
  recordCheck(domain: Pick<ProvenDomain, 'domain' | 'organization' | 'missing'>, checked: number): Promise<void>;
}>;

export function provenDomainsIn(tables: Tables): ProvenDomains {
  const columns = ['domain', 'organization', 'checked', 'missing'] as const;
  const find = (domain: string) =>
    tables.selectFrom('proven_domains').select(columns).where('domain', '=', domain).executeTakeFirst();
  return {
    find,
    claim: async (domain, organization, checked) => {
      const taken = await tables
        .insertInto('proven_domains')
        .values({ domain, organization, checked: momentAt(checked), missing: null })
        .onConflict((same) => same.column('domain').doNothing())
        .returning('domain')
        .executeTakeFirst();
      if (taken) return 'new';
      return (await find(domain))?.organization === organization ? 'known' : 'taken';
    },
    takeBack: async (domain, organization) => {
      await tables
        .deleteFrom('proven_domains')
        .where('domain', '=', domain)
        .where('organization', '=', organization)
        .execute();
    },
    checkedBefore: (moment, limit) =>
      tables
        .selectFrom('proven_domains')
        .select(columns)
        .where('checked', '<', momentAt(moment))
        .orderBy('checked')
        .orderBy('domain')
        .limit(limit)
        .execute(),
    recordCheck: async ({ domain, organization, missing }, checked) => {
      await tables
        .updateTable('proven_domains')
        .set({ checked: momentAt(checked), missing })
        .where('domain', '=', domain)
        .where('organization', '=', organization)
        .execute();
    },
  };
}
