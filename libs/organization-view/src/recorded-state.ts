import type { Immutable } from '@charter/decider';
import {
  type ChangedPart,
  saleInForce,
  initial,
  isList,
  type Organization,
  type Plan,
  type Purchase,
  type SaleEntry,
  startOfSale,
} from '@charter/organization';

/**
 * The form of the state in differences. The key of each entry is the entry's id, so that a path names the same entry at
 * both ends of a difference. The form leaves out fields that only the fold needs. `null` means that the value is not
 * set, or that the product line has no plan.
 */
export type RecordedState = Readonly<Record<string, unknown>>;

type Field = keyof Organization;

/** How differences show a field: as one value, or entry by entry; null if differences leave the field out. */
type Shown<Value> = Whole<Value> | Entries<Value> | null;
type Whole<Value> = Readonly<{ whole: (value: Value) => unknown }>;
type Entries<Value> = Readonly<{
  /** The form of an entry; undefined if differences leave the entry out. */
  entry: (value: Value[keyof Value]) => unknown;
  /** The field's name in differences, if it differs from the name in the state. */
  as?: string;
}>;

/**
 * The fields that differences show in a special form. Differences show all other fields without a change of form, so a
 * new field is never missing.
 */
const shownOtherwise: { readonly [Of in Field]?: Shown<Organization[Of]> } = {
  serviceLevel: { whole: ({ level }) => level },
  limitsByHand: {
    whole: (limits) => Object.fromEntries(Object.entries(limits).map(([resource, { amount }]) => [resource, amount])),
  },
  plans: { entry: (entries) => saleShown<Plan>(entries) ?? null },
  purchases: { entry: (entries) => saleShown<Purchase>(entries), as: 'addOns' },
  traffic: { entry: (views) => views },
  emailDomains: { entry: withoutEvent },
  founded: null,
  sizes: null,
  reports: null,
};

/**
 * The sale in force, with the moment from which it is in force. The result does not change if billing repeats the sale.
 */
function saleShown<What>(entries: readonly Immutable<SaleEntry<What>>[]) {
  const sale = saleInForce<What>(entries);
  if (!sale) return undefined;
  return { ...sale.what, effectiveAt: startOfSale<What>(entries, sale).effectiveAt, subscription: sale.subscription };
}

/** A value, without the references to its events. */
function withoutEvent(value: unknown): unknown {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !references.has(key)))
    : value;
}

const references: ReadonlySet<string> = new Set(['event', 'at', 'roleSince', 'switchedBy']);

function shownAs(field: Field): Shown<Readonly<Record<string, unknown>>> {
  // The cast is safe, because the type of `shownOtherwise` pairs each field with a function for the field's values.
  const shown = shownOtherwise[field] as Shown<Readonly<Record<string, unknown>>> | undefined;
  if (shown !== undefined) return shown;
  return isList(field) ? { entry: withoutEvent } : { whole: withoutEvent };
}

/** All fields that differences show: first the fields that they show as one value, then the fields with entries. */
const fields = (Object.keys(initial()) as Field[]).filter((field) => shownAs(field) !== null).sort(wholeFirst);

function wholeFirst(one: Field, other: Field): number {
  return Number('entry' in shownAs(one)!) - Number('entry' in shownAs(other)!);
}

/** The name of a field in differences. */
export const sectionOf = (field: Field): string => {
  const shown = shownAs(field);
  return (shown && 'entry' in shown && shown.as) || field;
};

export const recordedState = (organization: Organization): RecordedState =>
  Object.fromEntries(fields.map((field) => [sectionOf(field), statePart(organization, [field])]));

/** One part of the recorded state; undefined if the part does not exist or differences leave it out. */
export function statePart(organization: Organization, [field, key]: ChangedPart): unknown {
  const shown = shownAs(field);
  const value = organization[field] as Readonly<Record<string, unknown>>;
  if (shown === null) return undefined;
  if ('whole' in shown) return shown.whole(value);
  if (key !== undefined) return Object.hasOwn(value, key) ? shown.entry(value[key]) : undefined;
  const entries = Object.entries(value).map(([name, entry]) => [name, shown.entry(entry)] as const);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}
