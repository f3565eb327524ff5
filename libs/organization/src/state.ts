import type { Immutable, Moment, EventRef } from '@charter/decider';
import type { SaleEntry } from './effective-dates';
import { each } from './each';
import {
  type Grants,
  type ProductLine,
  type List,
  type ListEntries,
  lists,
  type Month,
  type Resource,
  type ServiceLevel,
  type Terms,
} from './terms';

/** What the rules need to know, and no more. Plain JSON, so it is also the read model. `Told`: which event says so. */
export type OrganizationDraft = {
  /** Empty until it was founded. */
  name: string;
  founded: EventRef;
  closed: ({ reason: string } & EventRef) | null;
  plans: Record<ProductLine, SaleEntry<Plan>[]>;
  purchases: Record<string, SaleEntry<Purchase>[]>;
  serviceLevel: { level: ServiceLevel } & EventRef;
  /** As it was last set by hand; null: never. */
  product: ({ enabled: boolean } & EventRef) | null;
  parallelUse: boolean | null;
  limitsByHand: { [resource in Resource]?: { amount: number } & EventRef };
  override: ({ reason: string; until: Moment | null } & EventRef) | null;
  /** How many there are in each list. Kept, because counting takes as long as the list, and every addition asks. */
  sizes: Record<List, number>;
  billingAccount: { provider: string; customer: string } | null;
  singleSignOn: { issuer: string; clientId: string } | null;
  traffic: Record<Month, number>;
} & { [L in List]: Record<string, ListEntries[L] & EventRef> };
export type Organization = Immutable<OrganizationDraft>;

export type Plan = { plan: string; terms: Terms };
export type Purchase = { addOn: string; quantity: number; grants: Grants };

/** Before anything happened. Records have no prototype names to trip over: keys are checked by their schemas. */
export const initial = (): OrganizationDraft => ({
  name: '',
  founded: never,
  closed: null,
  plans: { first: [], second: [] },
  purchases: {},
  serviceLevel: { level: 'none', ...never },
  product: null,
  parallelUse: null,
  limitsByHand: {},
  override: null,
  ...each(lists, () => ({})),
  sizes: each(lists, () => 0),
  billingAccount: null,
  singleSignOn: null,
  traffic: {},
});
const never: EventRef = { event: -1, at: '' };

/** What was said of a purchase. Its id is foreign text: only own entries count, never what an object inherits. */
export const saleEntriesOf = <Item>(
  { purchases }: { purchases: Readonly<Record<string, readonly Item[]>> },
  purchase: string,
) => (Object.hasOwn(purchases, purchase) ? purchases[purchase]! : []);

/** An organization keeps one owner once it has had one (`decisions.md`, Who may do what). */
export const isLastOwner = (member: string, { members }: Organization): boolean =>
  members[member]?.role === 'owner' && Object.values(members).filter(({ role }) => role === 'owner').length === 1;

/** Two entries of one list may not have the same hostname (`decisions.md` 16). */
export const hasHostname = (
  list: Organization['sites'] | Organization['qualityAssurance'],
  hostname: string,
): boolean => Object.values(list).some((entry) => entry.hostname === hostname);
