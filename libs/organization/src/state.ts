import type { Immutable, Moment, EventRef } from '@charter/decider';
import type { SaleEntry } from './sales/entries';
import { each } from './each';
import {
  type Grants,
  type ProductLine,
  type List,
  type ListEntries,
  lists,
  type Resource,
  type ServiceLevel,
  type SiteFeature,
  type Terms,
} from './terms';

/**
 * The state of an organization. The state contains the data that the rules need or that the public document prints. The
 * state is plain JSON, because the read model stores it.
 */
export type OrganizationDraft = {
  /** Empty until the organization is founded. */
  name: string;
  founded: EventRef;
  closed: ({ reason: string } & EventRef) | null;
  plans: Record<ProductLine, SaleEntry<Plan>[]>;
  purchases: Record<string, SaleEntry<Purchase>[]>;
  serviceLevel: { level: ServiceLevel } & EventRef;
  /**
   * Whether the newest command about the product enabled the product; null if no command has enabled or disabled it.
   */
  product: ({ enabled: boolean } & EventRef) | null;
  parallelUse: boolean | null;
  limitsByHand: { [resource in Resource]?: { amount: number } & EventRef };
  override: ({ reason: string; until: Moment | null } & EventRef) | null;
  /**
   * The number of entries in each list. The state stores this number, because each command that adds an entry needs the
   * number, and counting takes time.
   */
  sizes: Record<List, number>;
  billingAccount: { provider: string; customer: string } | null;
  singleSignOn: { issuer: string; clientId: string } | null;
  /**
   * The e-mail domains that the organization has claimed, by their hostname. The reference names the event that
   * claimed, proved or lost the domain. The switches have no effect before the proof.
   */
  emailDomains: Record<string, { proven: boolean; automaticMembership: boolean; managed: boolean } & EventRef>;
  /** Page views of each month; the key is the month as `YYYY-MM`. */
  traffic: Record<string, number>;
  /** The event of the last report of each month. */
  reports: Record<string, EventRef>;
} & { [L in List]: Record<string, ListEntries[L] & EntryRefs<L>> };
/** The references of an entry: to the event that added it, and to later events that changed certain fields. */
type EntryRefs<L extends List> = EventRef & (L extends keyof LaterRefs ? LaterRefs[L] : unknown);
type LaterRefs = {
  /** The event that changed the member's role; absent if the role never changed. */
  members: { roleSince?: EventRef };
  /**
   * For each feature with a value of the site's own, the event that set this value. Absent if the site never had an own
   * value.
   */
  sites: { switchedBy?: SwitchRefs };
};
export type SwitchRefs = { [feature in SiteFeature]?: EventRef };
export type Organization = Immutable<OrganizationDraft>;

export type Plan = { plan: string; terms: Terms };
export type Purchase = { addOn: string; quantity: number; grants: Grants };

/**
 * The state before the first event. The maps are plain objects. The schemas refuse the key `__proto__`, which would set
 * the prototype of a map.
 */
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
  emailDomains: {},
  traffic: {},
  reports: {},
});
const never: EventRef = { event: -1, at: '' };

/**
 * The entries of a purchase. The purchase's id comes from outside and may equal an inherited property, such as
 * `constructor`. An inherited property must not count as a purchase.
 */
export const saleEntriesOf = <Item>(
  { purchases }: { purchases: Readonly<Record<string, readonly Item[]>> },
  purchase: string,
) => (Object.hasOwn(purchases, purchase) ? purchases[purchase]! : []);

/**
 * Whether the member is the only owner. An organization that has had an owner always has at least one (`decisions.md`,
 * Who may do what).
 */
export const isLastOwner = (member: string, { members }: Organization): boolean =>
  members[member]?.role === 'owner' && Object.values(members).filter(({ role }) => role === 'owner').length === 1;

/**
 * Whether an entry of the list has this hostname. Rules check this, because all entries of a list must have different
 * hostnames (`decisions.md` 16).
 */
export const hasHostname = (
  list: Organization['sites'] | Organization['qualityAssurance'],
  hostname: string,
): boolean => Object.values(list).some((entry) => entry.hostname === hostname);

/** Puts an entry into a list and updates the list's size. */
export function put<L extends List>(
  draft: OrganizationDraft,
  list: L,
  id: string,
  entry: OrganizationDraft[L][string],
) {
  if (!Object.hasOwn(draft[list], id)) draft.sizes[list] += 1;
  draft[list][id] = entry;
}

/** Removes an entry from a list and updates the list's size. */
export function drop(draft: OrganizationDraft, list: List, id: string) {
  if (Object.hasOwn(draft[list], id)) draft.sizes[list] -= 1;
  delete draft[list][id];
}
