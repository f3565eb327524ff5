import type { OrganizationDocument } from '@charter/client';
import type { DraftCommand } from '../../../draft/address/draft-address';
import { productLines } from '../useSoldTerms';

/**
 * The tried changes (wishes) in the query parameter `try`, such as `second/solo,additionalUser:2,service:assisted`. The
 * map's keys are product lines, `service` and names of add-ons. The map's values are the wanted plan, service level and
 * quantity.
 */
export type TriedChanges = ReadonlyMap<string, string>;

export const SERVICE = 'service';
/** The value that means: end the plan of this product line. */
export const NO_PLAN = 'none';
const PARTS_MAX = 20;

/** Whether a text is a quantity that an address can contain: a whole number from 0 to 9,999. */
export const isQuantity = (text: string): boolean => /^\d{1,4}$/.test(text);

/** Parses the query parameter `try`. Parts of the text that are not valid have no effect. */
export function triedIn(text: string): TriedChanges {
  const parts = text.split(',').slice(0, PARTS_MAX);
  return new Map(
    parts.flatMap((part) => {
      const [, name = '', separator, value = ''] = /^([\w-]{1,60})([/:])([\w-]{1,60})$/.exec(part) ?? [];
      const isLine = (productLines as readonly string[]).includes(name);
      const isMeant =
        separator === '/' ? isLine : separator === ':' && !isLine && (name === SERVICE || isQuantity(value));
      return isMeant ? [[name, value] as const] : [];
    }),
  );
}

export const triedText = (tried: TriedChanges): string =>
  [...tried]
    .map(([name, value]) => `${name}${(productLines as readonly string[]).includes(name) ? '/' : ':'}${value}`)
    .join(',');

/** The quantity of an add-on that the organization holds, in all purchases together. */
export const heldQuantity = ({ addOns }: Pick<OrganizationDocument, 'addOns'>, wanted: string): number =>
  addOns.filter(({ addOn }) => addOn === wanted).reduce((sum, { quantity }) => sum + quantity, 0);

type HeldOffers = Pick<OrganizationDocument, 'plans' | 'addOns' | 'serviceLevel'>;

/**
 * The commands for the tried changes: first the plans, then the add-ons, then the service level. A plan that the
 * organization already holds is assigned again on today's terms. A payment always starts a new subscription, so for a
 * person who buys, additional units are a new purchase.
 */
export function triedCommands(tried: TriedChanges, held: HeldOffers, { buys = false } = {}): readonly DraftCommand[] {
  const plans = productLines.flatMap((line) => {
    const plan = tried.get(line);
    if (plan === undefined) return [];
    const isHeld = held.plans[line]?.plan === plan;
    if (plan !== NO_PLAN) return [{ type: 'AssignPlan', data: { line, plan, ...(isHeld && { terms: 'today' }) } }];
    return held.plans[line] ? [{ type: 'EndPlan', data: { line } }] : [];
  });
  const addOns = [...tried].flatMap(([name, value]) =>
    name === SERVICE || (productLines as readonly string[]).includes(name)
      ? []
      : addOnCommands(name, Number(value), held, buys),
  );
  const serviceLevel = tried.get(SERVICE);
  const isOther = serviceLevel !== undefined && serviceLevel !== held.serviceLevel;
  return [...plans, ...addOns, ...(isOther ? [{ type: 'AssignServiceLevel', data: { serviceLevel } }] : [])];
}

/**
 * The commands that reach the wanted quantity of an add-on: a new purchase, or changes of its purchases. If the
 * quantity becomes smaller, the newest purchase is reduced first.
 */
function addOnCommands(addOn: string, wanted: number, held: HeldOffers, buys: boolean): readonly DraftCommand[] {
  const purchases = held.addOns.filter((one) => one.addOn === addOn);
  const difference = wanted - heldQuantity(held, addOn);
  const [first] = purchases;
  if (difference === 0) return [];
  if (!first || (buys && difference > 0)) return [{ type: 'PurchaseAddOn', data: { addOn, quantity: difference } }];
  if (difference > 0) return [changed(first.purchase, first.quantity + difference)];
  let left = -difference;
  return purchases.toReversed().flatMap(({ purchase, quantity }) => {
    const taken = Math.min(left, quantity);
    left -= taken;
    return taken === 0 ? [] : [changed(purchase, quantity - taken)];
  });
}

const changed = (purchase: string, quantity: number): DraftCommand =>
  quantity === 0
    ? { type: 'CancelAddOn', data: { purchase } }
    : { type: 'ChangeQuantity', data: { purchase, quantity } };
