import {
  type ChangedPart,
  saleInForce,
  initial,
  lists,
  type Organization,
  type Plan,
  type Purchase,
} from '@charter/organization';

/**
 * The state as differences show it: each thing under its own id, so that a path names the same thing at both ends, and
 * without what only the fold needs. `null`: nothing is set or sold.
 */
export type RecordedState = Readonly<Record<string, unknown>>;

type Field = keyof Organization;

/** How differences show a field: as a whole, or entry by entry; null: not at all. */
type Shown<Value> = Whole<Value> | Entries<Value> | null;
type Whole<Value> = Readonly<{ whole: (value: Value) => unknown }>;
type Entries<Value> = Readonly<{
  /** An entry that this shows as undefined is left out. */
  entry: (value: Value[keyof Value]) => unknown;
  /** The name in differences, where it is another one than in the state. */
  as?: string;
}>;

/** The fields that differences do not show as they are. Any other field is shown, so none can be forgotten. */
const shownOtherwise: { readonly [Of in Field]?: Shown<Organization[Of]> } = {
  serviceLevel: { whole: ({ level }) => level },
  limitsByHand: {
    whole: (limits) => Object.fromEntries(Object.entries(limits).map(([resource, { amount }]) => [resource, amount])),
  },
  plans: { entry: (news) => sold(saleInForce<Plan>(news)) ?? null },
  purchases: { entry: (news) => sold(saleInForce<Purchase>(news)), as: 'addOns' },
  traffic: { entry: (views) => views },
  founded: null,
  sizes: null,
};

const sold = (news: ReturnType<typeof saleInForce<Plan | Purchase>>) =>
  news && { ...news.what, effectiveAt: news.effectiveAt, subscription: news.subscription };

/** A value without the event that it rests on. */
const asItIs = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'event' && key !== 'at'))
    : value;

function shownAs(field: Field): Shown<Readonly<Record<string, unknown>>> {
  const shown = shownOtherwise[field] as Shown<Readonly<Record<string, unknown>>> | undefined; // the table pairs them
  if (shown !== undefined) return shown;
  return lists.some((list) => list === field) ? { entry: asItIs } : { whole: asItIs };
}

/** Every field that is shown, in the order of differences: first what is shown as a whole. */
const fields = (Object.keys(initial()) as Field[]).filter((field) => shownAs(field) !== null).sort(wholeFirst);

function wholeFirst(one: Field, other: Field): number {
  return Number('entry' in shownAs(one)!) - Number('entry' in shownAs(other)!);
}

/** What differences call a field. */
export const sectionOf = (field: Field): string => {
  const shown = shownAs(field);
  return (shown && 'entry' in shown && shown.as) || field;
};

/** All of it. */
export const recordedState = (organization: Organization): RecordedState =>
  Object.fromEntries(fields.map((field) => [sectionOf(field), statePart(organization, [field])]));

/** One part of it; undefined: it is not there, or not shown. */
export function statePart(organization: Organization, [field, key]: ChangedPart): unknown {
  const shown = shownAs(field);
  const value = organization[field] as Readonly<Record<string, unknown>>;
  if (shown === null) return undefined;
  if ('whole' in shown) return shown.whole(value);
  if (key !== undefined) return Object.hasOwn(value, key) ? shown.entry(value[key]) : undefined;
  const entries = Object.entries(value).map(([name, entry]) => [name, shown.entry(entry)] as const);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}
