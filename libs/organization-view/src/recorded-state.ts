import type { Immutable } from '@charter/decider';
import {
  type ChangedPart,
  type Domain,
  inForce,
  type Member,
  type Organization,
  type Plan,
  type Purchase,
  type Site,
} from '@charter/organization';

/**
 * The state as differences show it: each thing under its own id, so that a path names the same thing at both ends, and
 * without what only the fold needs. `null`: nothing is set or sold.
 */
export type RecordedState = Readonly<Record<string, unknown>>;

type Field = keyof Organization;

/** How differences show a field: as a whole, or entry by entry; undefined: not at all. */
type Shown<Value> = Whole<Value> | Entries<Value> | undefined;
type Whole<Value> = Readonly<{ whole: (value: Value) => unknown }>;
type Entries<Value> = Readonly<{
  /** An entry that this shows as undefined is left out. */
  entry: (value: Value[keyof Value]) => unknown;
  /** The name in differences, where it is another one than in the state. */
  as?: string;
}>;

const asItIs = <Value>(value: Value) => value;

/** Shows these keys of an entry. The compiler refuses a forgotten one. */
const only =
  <Entry extends object>(keys: Readonly<Record<keyof Entry, boolean>>) =>
  (entry: Immutable<Entry>) =>
    Object.fromEntries(Object.entries(entry).filter(([key]) => keys[key as keyof Entry]));

const domain = only<Domain>({ hostname: true, event: false, at: false });

/** Every field of the state, in the order of differences. The compiler refuses a forgotten one. */
const fields: { readonly [Of in Field]: Shown<Organization[Of]> } = {
  name: { whole: asItIs },
  closed: { whole: (closed) => closed && { reason: closed.reason } },
  serviceLevel: { whole: ({ level }) => level },
  product: { whole: (product) => product && { enabled: product.enabled } },
  parallelUse: { whole: asItIs },
  limitsByHand: {
    whole: (limits) => Object.fromEntries(Object.entries(limits).map(([resource, { amount }]) => [resource, amount])),
  },
  override: { whole: (override) => override && { reason: override.reason, until: override.until } },
  billingAccount: { whole: asItIs },
  singleSignOn: { whole: asItIs },
  plans: { entry: (news) => sold(inForce<Plan>(news)) ?? null },
  purchases: { entry: (news) => sold(inForce<Purchase>(news)), as: 'addOns' },
  members: { entry: only<Member>({ role: true, productUser: true, event: false, at: false }) },
  sites: { entry: only<Site>({ hostname: true, name: true, features: true, event: false, at: false }) },
  qualityAssurance: { entry: domain },
  webAnalytics: { entry: domain },
  traffic: { entry: asItIs },
  founded: undefined,
  sizes: undefined,
};

const sold = (news: ReturnType<typeof inForce<Plan | Purchase>>) =>
  news && { ...news.what, effectiveAt: news.effectiveAt, subscription: news.subscription };

/** What differences call a field. */
export const sectionOf = (field: Field): string => {
  const shown = fields[field];
  return (shown && 'entry' in shown && shown.as) || field;
};

/** All of it. */
export const recordedState = (organization: Organization): RecordedState =>
  Object.fromEntries(
    (Object.keys(fields) as Field[])
      .filter((field) => fields[field] !== undefined)
      .map((field) => [sectionOf(field), partOf(organization, [field])]),
  );

/** One part of it; undefined: it is not there, or not shown. */
export function partOf(organization: Organization, [field, key]: ChangedPart): unknown {
  const shown = fields[field] as Shown<Readonly<Record<string, unknown>>>; // the table pairs fields and their types
  const value = organization[field] as Readonly<Record<string, unknown>>;
  if (shown === undefined) return undefined;
  if ('whole' in shown) return shown.whole(value);
  if (key !== undefined) return Object.hasOwn(value, key) ? shown.entry(value[key]) : undefined;
  const entries = Object.entries(value).map(([name, entry]) => [name, shown.entry(entry)] as const);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}
