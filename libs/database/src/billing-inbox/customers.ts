import { momentAt } from '@charter/decider';
import type { Tables } from '../schema/schema';

/**
 * Stores which organization each customer of a payment provider belongs to; a customer belongs to at most one
 * organization. The process claims the customer before it appends the event that records the link.
 */
export type Customers = Readonly<{
  /**
   * Claims the customer for the organization. `new`: no organization had claimed it; `known`: this organization had
   * already claimed it, and the call renews the claim; `taken`: another organization has claimed it.
   */
  claim(provider: string, customer: string, organization: string, now: number): Promise<'new' | 'known' | 'taken'>;
  /**
   * Releases the organization's claim, for example because the event that records the link was not appended. Does not
   * change a claim of another organization.
   * @param until milliseconds since 1970; a newer claim stays
   */
  takeBack(provider: string, customer: string, organization: string, until?: number): Promise<void>;
  organizationOf(provider: string, customer: string): Promise<string | undefined>;
  /** All customers of an organization, sorted by provider and customer id. */
  of(organization: string): Promise<readonly Readonly<{ provider: string; customer: string }>[]>;
}>;

export function customersIn(tables: Tables): Customers {
  const organizationOf = async (provider: string, customer: string) => {
    const known = tables.selectFrom('billing_customers').select('organization');
    const row = await known.where('provider', '=', provider).where('customer', '=', customer).executeTakeFirst();
    return row?.organization;
  };
  return {
    organizationOf,
    claim: async (provider, customer, organization, now) => {
      const taken = await tables
        .insertInto('billing_customers')
        .values({ provider, customer, organization, claimed: momentAt(now) })
        .onConflict((same) => same.columns(['provider', 'customer']).doNothing())
        .returning('customer')
        .executeTakeFirst();
      if (taken) return 'new';
      const renewed = await tables
        .updateTable('billing_customers')
        .set({ claimed: momentAt(now) })
        .where('provider', '=', provider)
        .where('customer', '=', customer)
        .where('organization', '=', organization)
        .returning('customer')
        .executeTakeFirst();
      return renewed ? 'known' : 'taken';
    },
    takeBack: async (provider, customer, organization, until) => {
      const own = tables
        .deleteFrom('billing_customers')
        .where('provider', '=', provider)
        .where('customer', '=', customer)
        .where('organization', '=', organization);
      await (until === undefined ? own : own.where('claimed', '<=', momentAt(until))).execute();
    },
    of: (organization) =>
      tables
        .selectFrom('billing_customers')
        .select(['provider', 'customer'])
        .where('organization', '=', organization)
        .orderBy('provider')
        .orderBy('customer')
        .execute(),
  };
}
