import type { Immutable, Moment } from '@charter/decider';
import {
  type ChangedPart,
  type CommandType,
  resourceOfList,
  countingPlans,
  heldSales,
  isDeepEqual,
  lastEndedSale,
  listCommands,
  type List,
  type ListEntries,
  type MemberRole,
  type Organization,
  type OrganizationCommand,
  type Plan,
  productEnabled,
  type ProductLine,
  type Purchase,
  type Resource,
  rowOf,
  saleEntriesOf,
  saleInForce,
  schemaOf,
  type ServiceLevel,
  setters,
  type OptionValues,
} from '@charter/organization';
import { z } from 'zod';
import { statePart } from '../recorded-state';
import { subjectOf } from '../steps/subject';
import { differingPaths, type Path } from './differing-paths';

/** Why an undo leaves a value as it is, or does not restore it completely. */
export const UndoGap = z.enum(['no-command', 'fact-from-outside', 'erased', 'new-purchase-id', 'limits-go-on']);
export type UndoGap = z.infer<typeof UndoGap>;

/** The facts that an undo needs in addition to the values. */
export type UndoContext = Readonly<{
  at: Moment;
  /** The reason in each command that requires one, unless the command repeats an earlier reason from the history. */
  reason: string;
  /** The ids of erased people, who cannot become members again. */
  erased: ReadonlySet<string>;
  /**
   * The id of the purchase that replaces a cancelled purchase. `sale` is the revision of the cancelled sale. The same
   * arguments always give the same id, so a repeated undo does not buy the add-on twice.
   */
  newPurchase: (cancelled: string, sale: number) => string;
}>;

/**
 * A part of the state that the undo restores. `paths`: the paths inside the part at which values change; the empty path
 * is the whole part.
 */
type Restoration<Value> = Readonly<{ id: string; target: Value; present: Value; paths: readonly Path[] }>;

/**
 * A command that restores a part, or the reason why a value still differs after the undo. `replacement` is the purchase
 * that replaces a cancelled purchase, and that the undo must not cancel.
 */
export type UndoAct = OrganizationCommand | Readonly<{ gap: UndoGap; replacement?: string }>;

/**
 * How an undo treats a field of the state. If the field has several parts, `id` names one part, for example a member or
 * a product line; otherwise `id` is empty.
 */
type UndoRow<Value> = Readonly<{
  /** Returns a copy of the field's value, because later events may change the state in place. */
  read: (organization: Organization, id: string) => Value;
  /** Returns the paths, relative to the part, at which two values of the part differ. */
  differences: (one: Value, other: Value) => readonly Path[];
  /** Like `differences`, for an event after the undone events. If absent, `differences` also compares later events. */
  laterDifferences?: (one: Value, other: Value) => readonly Path[];
  restore: (part: Restoration<Value>, context: UndoContext, organization: Organization) => readonly UndoAct[];
}>;

const noCommand = [{ gap: 'no-command' }] as const;

const closed: UndoRow<string | null> = {
  read: (organization) => organization.closed?.reason ?? null,
  differences: differingPaths,
  restore: ({ target, present }, { reason }) => [
    ...(present === null ? [] : [{ type: 'ReopenOrganization', data: { reason } } as const]),
    ...(target === null ? [] : [{ type: 'CloseOrganization', data: { reason: target } } as const]),
  ],
};

/** A sale of a plan that has not ended. `event` is the revision of its event. */
type HeldSale = Readonly<{ event: number; subscription: string | null; what: Immutable<Plan> }>;
/**
 * The plan of a product line. `sales` contains the newest sale of each subscription, without ended sales, from old to
 * new. The last sale is in force. `ended` is the plan that ended last, if no plan is held. `counts`: the limits of this
 * plan are in force.
 */
type LineReading = Readonly<{ sales: readonly HeldSale[]; ended: Immutable<Plan> | null; counts: boolean }>;
const plans: UndoRow<LineReading> = {
  read: (organization, line) => {
    const entries = organization.plans[line as ProductLine];
    const sales = heldSales<Plan>(entries).map(({ event, subscription, what }) => ({ event, subscription, what }));
    const ended = sales.length > 0 ? null : (lastEndedSale<Plan>(entries)?.sold.what ?? null);
    return { sales, ended, counts: countingPlans(organization).some((plan) => plan.line === line) };
  },
  differences: (one, other) => {
    const isSame = isDeepEqual(heldIn(one), heldIn(other)) && isDeepEqual(one.ended, other.ended);
    return isSame ? [] : [[]];
  },
  // The commands of an undo end or repeat every held sale, so an event about a sale that is not in force counts, too.
  laterDifferences: (one, other) => {
    const isSame = isDeepEqual(one.sales.map(withoutEvent), other.sales.map(withoutEvent));
    return isSame && isDeepEqual(one.ended, other.ended) ? [] : [[]];
  },
  restore: ({ id, target, present }) => {
    const line = id as ProductLine;
    if (target.sales.length > 0) return sellAgain(line, target.sales, present.sales);
    const held = heldIn(present);
    // After the undo, `ended` is the plan that the undo ends. If the undo ends no plan, `ended` stays as it is.
    const isOther = held !== null && !target.counts;
    const isRestored = !isOther && isDeepEqual(held ?? present.ended, target.ended);
    return [
      ...(held ? [{ type: 'EndPlan', data: { line } } as const] : []),
      ...(isRestored ? [] : [{ gap: 'limits-go-on' } as const]),
    ];
  },
};
const heldIn = ({ sales }: LineReading): Immutable<Plan> | null => sales.at(-1)?.what ?? null;
const withoutEvent = ({ subscription, what }: HeldSale) => [subscription, what];

/**
 * Ends the present sales of other subscriptions, and repeats the target's sales from the first different sale.
 * Otherwise a plan that the undo has replaced would come into force again when the subscription of the restored plan
 * ends. The last sale is always repeated, because its command can make room for further entries.
 */
function sellAgain(line: ProductLine, target: readonly HeldSale[], present: readonly HeldSale[]): readonly UndoAct[] {
  const isWanted = (sale: HeldSale) => target.some(({ subscription }) => subscription === sale.subscription);
  const extra = present.filter((sale) => !isWanted(sale));
  // Only the end of the whole product line ends a manual sale.
  const endsAll = extra.some(({ subscription }) => subscription === null);
  const kept = endsAll ? [] : present.filter(isWanted);
  const different = target.findIndex((sale, index) => !kept[index] || !isSameSale(sale, kept[index]));
  const sold = target.slice(different); // if no sale is different, -1 selects the last sale
  // `AssignPlan` without a subscription changes nothing if a subscription holds the same plan.
  const hasNoEffect = sold.some(({ subscription, what }, index) => {
    const under = index === 0 ? kept.at(-1) : sold[index - 1];
    return subscription === null && under !== undefined && under.subscription !== null && isDeepEqual(under.what, what);
  });
  const named = ({ subscription }: HeldSale) => (subscription === null ? {} : { subscription });
  return [
    ...(endsAll ? [{}] : extra.map(named)).map((of) => ({ type: 'EndPlan', data: { line, ...of } }) as const),
    ...sold.map((sale) => {
      const { event, what } = sale;
      return {
        type: 'AssignPlan',
        data: { line, plan: what.plan, terms: { termsOf: event }, ...named(sale) },
      } as const;
    }),
    ...(hasNoEffect ? noCommand : []),
  ];
}
const isSameSale = (one: HeldSale, other: HeldSale) => isDeepEqual(withoutEvent(one), withoutEvent(other));

const purchases: UndoRow<(Immutable<Purchase> & Readonly<{ event: number }>) | null> = {
  read: (organization, purchase) => {
    const sale = saleInForce<Purchase>(saleEntriesOf(organization, purchase));
    return sale ? { ...sale.what, event: sale.event } : null;
  },
  differences: (one, other) => (isDeepEqual(withoutSale(one), withoutSale(other)) ? [] : [[]]),
  restore: ({ id: purchase, target, present }, { newPurchase }, organization) => {
    const cancel = { type: 'CancelAddOn', data: { purchase } } as const;
    if (!target) return [cancel];
    const { addOn, quantity, grants, event } = target;
    if (present?.addOn === addOn && isDeepEqual(present.grants, grants))
      return [{ type: 'ChangeQuantity', data: { purchase, quantity } }];
    const replacement = replacementOf(purchase, event, newPurchase, organization);
    const replacing = saleInForce<Purchase>(saleEntriesOf(organization, replacement))?.what;
    const buy = { addOn, quantity, purchase: replacement, grants: { termsOf: event } };
    return [
      ...(present ? [cancel] : []),
      ...(replacing ? [] : [{ type: 'PurchaseAddOn', data: buy } as const]),
      ...(replacing && replacing.quantity !== quantity
        ? [{ type: 'ChangeQuantity', data: { purchase: replacement, quantity } } as const]
        : []),
      { gap: 'new-purchase-id', replacement },
    ];
  },
};
/** The id of the purchase that replaces a cancelled sale. A cancelled replacement is replaced, too. */
function replacementOf(
  purchase: string,
  sale: number,
  newPurchase: UndoContext['newPurchase'],
  organization: Organization,
): string {
  const id = newPurchase(purchase, sale);
  const entries = saleEntriesOf(organization, id);
  const ended = saleInForce<Purchase>(entries) ? undefined : lastEndedSale<Purchase>(entries);
  return ended ? replacementOf(id, ended.sold.event, newPurchase, organization) : id;
}
const withoutSale = (purchase: Immutable<Purchase> | null) =>
  purchase && [purchase.addOn, purchase.quantity, purchase.grants];

const serviceLevel: UndoRow<ServiceLevel> = {
  read: (organization) => organization.serviceLevel.level,
  differences: differingPaths,
  restore: ({ target }) => [{ type: 'AssignServiceLevel', data: { serviceLevel: target } }],
};

/**
 * `setting`: whether the newest command about the product enabled the product; null if there was no such command.
 * `isOn`: whether the product is on.
 */
const product: UndoRow<Readonly<{ setting: boolean | null; isOn: boolean }>> = {
  read: (organization) => ({ setting: organization.product?.enabled ?? null, isOn: productEnabled(organization) }),
  differences: (one, other) => differingPaths(one.setting, other.setting),
  restore: ({ target, present }) => {
    const type = target.isOn ? 'EnableProduct' : 'DisableProduct';
    return [
      ...(present.setting === target.isOn ? [] : [{ type, data: {} } as const]),
      ...(target.setting === null ? noCommand : []), // no command removes the setting
    ];
  },
};

const limitsByHand: UndoRow<Readonly<{ [resource in Resource]?: number }>> = {
  read: (organization) =>
    Object.fromEntries(Object.entries(organization.limitsByHand).map(([resource, { amount }]) => [resource, amount])),
  differences: differingPaths,
  restore: ({ target, paths }) => {
    const amounts: { [resource in Resource]?: number | null } = Object.fromEntries(
      paths.map(([resource = '']) => [resource, target[resource as Resource] ?? null] as const),
    );
    return [{ type: 'ConfigureLimits', data: amounts }];
  },
};

const override: UndoRow<Readonly<{ reason: string; until: Moment | null }> | null> = {
  read: ({ override: set }) => set && { reason: set.reason, until: set.until },
  differences: (one, other) => (isDeepEqual(one, other) ? [] : [[]]),
  restore: ({ target, present }, { at, reason }) => {
    const hasEnded = target !== null && target.until !== null && target.until <= at;
    if (target === null || hasEnded)
      return [
        ...(present ? [{ type: 'RestoreHardLimits', data: { reason } } as const] : []),
        ...(hasEnded ? noCommand : []),
      ];
    const until = target.until === null ? {} : { until: target.until };
    return [{ type: 'OverrideHardLimits', data: { reason: target.reason, ...until } }];
  },
};

type Entry<Fields> = Immutable<Fields> | undefined;

/** An entry that was removed and added again with another hostname differs as a whole, not in its fields. */
function entryDifferences<Fields extends object>(one: Entry<Fields>, other: Entry<Fields>): readonly Path[] {
  const paths = differingPaths(one, other);
  return paths.some(([field]) => field === 'hostname') ? [[]] : paths;
}

const members: UndoRow<Entry<ListEntries['members']>> = {
  read: (organization, id) => statePart(organization, ['members', id]) as Entry<ListEntries['members']>,
  differences: entryDifferences,
  restore: ({ id: member, target, present, paths }, { erased }) => {
    if (!target) return [{ type: 'RemoveMember', data: { member } }];
    const flag = { type: target.productUser ? 'FlagProductUser' : 'UnflagProductUser', data: { member } } as const;
    if (present) return paths.map(([field]) => (field === 'role' ? roleOf(member, target.role) : flag));
    if (erased.has(member)) return [{ gap: 'erased' }];
    return [{ type: 'AddMember', data: { member, role: target.role } }, ...(target.productUser ? [flag] : [])];
  },
};
const roleOf = (member: string, role: MemberRole) => ({ type: 'ChangeRole', data: { member, role } }) as const;

const sites: UndoRow<Entry<ListEntries['sites']>> = {
  read: (organization, id) => statePart(organization, ['sites', id]) as Entry<ListEntries['sites']>,
  differences: entryDifferences,
  restore: ({ id: site, target, present, paths }) => {
    const remove = { type: 'RemoveSite', data: { site } } as const;
    if (!target) return [remove];
    const { hostname, name: called, features } = target;
    if (!present || paths.some(({ length }) => length === 0)) {
      const named = schemaOf('AddSite').safeParse({ site, hostname, name: called }).success;
      // without a valid `AddSite`, the undo would remove the present site and add none
      if (!named && !schemaOf('AddSite').safeParse({ site, hostname }).success) return noCommand;
      return [
        ...(present ? [remove] : []),
        { type: 'AddSite', data: { site, hostname, ...(named && { name: called }) } },
        ...(named ? [] : noCommand),
        ...(Object.keys(features).length > 0
          ? [{ type: 'ChangeSiteFeatures', data: { site, features } } as const]
          : []),
      ];
    }
    const switched = paths.flatMap(([field, feature]) =>
      field === 'features' ? [feature as keyof typeof features] : [],
    );
    const values = Object.fromEntries(switched.map((feature) => [feature, features[feature] ?? null]));
    return [
      ...(paths.some(([field]) => field === 'name')
        ? [{ type: 'RenameSite', data: { site, name: called } } as const]
        : []),
      ...(switched.length > 0 ? [{ type: 'ChangeSiteFeatures', data: { site, features: values } } as const] : []),
    ];
  },
};

/** How an undo treats a list without a row in `rows`: its commands replace an entry whose fields differ. */
const entriesOf = ({ list, add, remove }: (typeof listCommands)[number]): UndoRow<Entry<ListEntries[List]>> => ({
  read: (organization, id) => statePart(organization, [list, id]) as Entry<ListEntries[List]>,
  differences: entryDifferences,
  restore: ({ id, target, present }) => {
    const named = { [rowOf(resourceOfList(list)).entry]: id };
    const data = { ...named, ...target };
    if (target && !schemaOf(add).safeParse(data).success) return noCommand; // the undo must not only remove the entry
    // The casts are safe, because the schema has checked the data, and each removal needs only the id.
    return [
      ...(present ? [{ type: remove, data: named } as UndoAct] : []),
      ...(target ? [{ type: add, data } as UndoAct] : []),
    ];
  },
});

/** How an undo treats a field to which a command of the row option `sets` gives a value. */
const setBy = (type: CommandType, field: keyof Organization): UndoRow<unknown> => ({
  read: (organization) => statePart(organization, [field]),
  differences: differingPaths,
  restore: ({ target }) => [{ type, data: { [field]: target } } as UndoAct],
});

/** A field that no undo restores. */
const kept = (field: keyof Organization, gap: UndoGap): UndoRow<unknown> => ({
  read: (organization, id) => statePart(organization, id === '' ? [field] : [field, id]),
  differences: (one, other) => (isDeepEqual(one, other) ? [] : [[]]),
  restore: () => [{ gap }],
});

/**
 * The fields with a row of their own. Lists and fields whose commands have the options `adds`, `removes` or `sets` need
 * no row. If another field has no row, this file does not compile.
 */
const rows = {
  ...{ closed, plans, purchases, serviceLevel, product, limitsByHand, override, members, sites },
  traffic: kept('traffic', 'fact-from-outside'),
  billingAccount: kept('billingAccount', 'no-command'),
  singleSignOn: kept('singleSignOn', 'no-command'),
  emailDomains: kept('emailDomains', 'no-command'),
} satisfies Readonly<Record<FieldWithoutDefault, object>>;
type FieldWithoutDefault = Exclude<
  keyof Organization,
  'founded' | 'sizes' | 'reports' | OptionValues<'sets'> | (OptionValues<'adds'> & OptionValues<'removes'>)
>;

/** Returns the `UndoRow` of a field. */
export function undoRow(field: keyof Organization): UndoRow<unknown> {
  // The casts are safe, because each row gets only values that its own `read` has returned.
  if (Object.hasOwn(rows, field)) return rows[field as keyof typeof rows] as UndoRow<unknown>;
  const ofList = listCommands.find(({ list }) => list === field);
  if (ofList) return entriesOf(ofList) as UndoRow<unknown>;
  const setter = setters.find(({ sets }) => sets === field);
  return setter ? setBy(setter.type, field) : kept(field, 'no-command');
}

/**
 * The path of a value in the keyed document. If the document does not print a part, the path is the subject of the
 * part's events (`subjectOf`).
 */
export function undoPath([field, id]: ChangedPart, below: Path, productKey: string): Path {
  if (field === 'product') return [productKey];
  if (field === 'parallelUse') return [`${productKey}Details`, 'parallelUse'];
  if (field === 'override') return ['limits', 'override'];
  const part = subjectOf(id === undefined ? [field] : [field, id]);
  return [
    ...part,
    ...below.map((step) => (field === 'members' && step === 'productUser' ? `${productKey}User` : step)),
  ];
}
