import type { Moment } from '@charter/decider';
import {
  type Organization,
  type OrganizationCommand,
  type ProductLine,
  saleEntriesOf,
  saleInForce,
} from '@charter/organization';
import type { BillingFact, Hold } from '../fact';
import { paidAt } from '../paid-items';

/** A plan or an add-on, as the catalogue names it. */
type SoldProduct = Readonly<{ kind: 'plan'; line: ProductLine; plan: string } | { kind: 'add-on'; addOn: string }>;

/** Finds the price at which the payment provider sells a plan or an add-on. The catalogue implements this port. */
export type CheckoutPrices = Readonly<{ priceIdOf: (sold: SoldProduct) => string | undefined }>;

/** One item of a checkout: the id of a price at the provider, and the number of units. */
export type CheckoutItem = Readonly<{ price: string; quantity: number }>;

/**
 * Why a checkout cannot sell a command.
 *
 * - `not-by-checkout`: the command does not buy a plan or an add-on on today's terms.
 * - `named-twice`: an earlier command of the list buys the same add-on, or a plan of the same product line.
 * - `nothing-new`: the command would record no event.
 * - `paid-already`: the organization already pays for the add-on, or for a plan of the same product line, with a
 *   subscription.
 * - `no-price`: the catalogue or the provider has no price.
 */
export const notSoldReasons = ['not-by-checkout', 'named-twice', 'nothing-new', 'paid-already', 'no-price'] as const;
type NotSoldReason = (typeof notSoldReasons)[number];

/** A command that a checkout cannot sell. `index` is the command's position in the list. */
export type NotSold = Readonly<{ index: number; why: NotSoldReason }>;

type BuyingOrganization = Readonly<{
  id: string;
  /** The organization's current state. */
  organization: Organization;
  /** The facts of all messages about the organization's subscriptions, whatever the outcomes of these messages. */
  facts: readonly BillingFact[];
  at: Moment;
}>;

/**
 * The items of a checkout for these commands, in the order of the commands, and the commands that a checkout cannot
 * sell. `slots` has one name for each item: the product line if the item is a plan, or else the name of the add-on. The
 * caller must refuse the checkout if it cannot sell one of the commands.
 * @param changing the positions of the commands that would record an event
 */
export function checkoutItems(
  commands: readonly OrganizationCommand[],
  buying: BuyingOrganization,
  { priceIdOf }: CheckoutPrices,
  changing: ReadonlySet<number>,
): Readonly<{ items: readonly CheckoutItem[]; slots: readonly string[]; notSold: readonly NotSold[] }> {
  const paid = paidSlots(buying);
  const named = new Set<string>();
  const slots: string[] = [];
  const items: CheckoutItem[] = [];
  const notSold: NotSold[] = [];
  for (const [index, command] of commands.entries()) {
    const wanted = wantedBy(command, buying.organization);
    const slot = wanted && slotOfSoldProduct(wanted.sold);
    const price = wanted && priceIdOf(wanted.sold);
    const why = ((): NotSoldReason | undefined => {
      if (slot === undefined) return 'not-by-checkout';
      if (named.has(slot)) return 'named-twice';
      if (!changing.has(index)) return 'nothing-new';
      if (paid.has(slot)) return 'paid-already';
      return price === undefined ? 'no-price' : undefined;
    })();
    if (slot !== undefined) named.add(slot);
    if (why) notSold.push({ index, why });
    else {
      items.push({ price: price!, quantity: wanted!.quantity });
      slots.push(slot!);
    }
  }
  return { items, slots, notSold };
}

type DataOf<Type extends string> = Extract<OrganizationCommand, { type: Type }>['data'];
type Wanted = Readonly<{ sold: SoldProduct; quantity: number }>;

/** Whether a command buys a plan or an add-on, online or not. */
export const isBuying = ({ type }: OrganizationCommand): boolean => type === 'AssignPlan' || type === 'PurchaseAddOn';

/** The plan or add-on that a command buys; undefined if a message of the provider could not cause the same command. */
function wantedBy(command: OrganizationCommand, organization: Organization): Wanted | undefined {
  if (command.type === 'AssignPlan') return ofPlan(command.data, organization);
  if (command.type === 'PurchaseAddOn') return ofAddOn(command.data, organization);
  return undefined;
}

/**
 * A checkout cannot sell a command that has its own terms, moment or subscription. A sale by checkout gets the terms
 * from today's catalogue, and the moment and the subscription from the provider's message. If the organization already
 * has the plan without a payment, the message keeps the terms of that sale (`decisions.md` 19), so a checkout cannot
 * sell today's terms.
 */
function ofPlan({ line, plan, terms, ...named }: DataOf<'AssignPlan'>, { plans }: Organization): Wanted | undefined {
  const held = saleInForce(plans[line]);
  const keepsTerms = held?.what.plan === plan && held.subscription === null;
  const isOrdinary = typeof terms !== 'object' && !(terms === 'today' && keepsTerms) && isOfNow(named);
  return isOrdinary ? { sold: { kind: 'plan', line, plan }, quantity: 1 } : undefined;
}

function ofAddOn(
  { addOn, quantity, purchase, grants, ...named }: DataOf<'PurchaseAddOn'>,
  organization: Organization,
): Wanted | undefined {
  const isOrdinary = grants === undefined && isOfNow(named) && saleEntriesOf(organization, purchase).length === 0;
  return isOrdinary ? { sold: { kind: 'add-on', addOn }, quantity } : undefined;
}

const isOfNow = ({ effectiveAt, subscription }: { effectiveAt?: unknown; subscription?: unknown }) =>
  effectiveAt === undefined && subscription === undefined;

const slotOfSoldProduct = (sold: SoldProduct) => (sold.kind === 'plan' ? `plan ${sold.line}` : `add-on ${sold.addOn}`);
const slotOfHold = (hold: Hold) => (hold.kind === 'plan' ? `plan ${hold.line}` : `add-on ${hold.addOn}`);

/**
 * The product lines and add-ons for which the organization pays with a subscription, according to the recorded events
 * and the provider's messages. A message that waits also counts, so that no person pays twice for one item.
 */
function paidSlots({ id, organization: { plans, purchases }, facts, at }: BuyingOrganization): ReadonlySet<string> {
  const granted = [
    ...Object.entries(plans).map(([line, entries]) => [`plan ${line}`, saleInForce(entries)] as const),
    ...Object.values(purchases).map((entries) => {
      const held = saleInForce(entries);
      return [`add-on ${held?.what.addOn}`, held] as const;
    }),
  ];
  return new Set([
    ...granted.flatMap(([slot, held]) => (held && held.subscription !== null ? [slot] : [])),
    ...paidAt(id, facts, at).flatMap((item) => (item.kind === 'unknown' ? [] : [slotOfHold(item)])),
  ]);
}
