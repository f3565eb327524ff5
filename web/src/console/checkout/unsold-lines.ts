import type { Catalogue, Preview, Problem } from '@charter/client';
import type { DraftCommand } from '../draft/address/draft-address';

/** A command that a checkout cannot sell, and why. */
export type UnsoldLine = NonNullable<Problem['items']>[number];

/**
 * The commands that no checkout can sell, as far as the catalogue and the preview tell. After the press, the service
 * may name further commands, for example an add-on that a subscription already pays.
 */
export function unsoldLines(
  commands: readonly DraftCommand[],
  catalogue: Pick<Catalogue, 'plans' | 'addOns'>,
  { events, refused, alsoRefused = [] }: Pick<Preview, 'events' | 'refused' | 'alsoRefused'>,
): readonly UnsoldLine[] {
  const changing = new Set(events.map(({ command }) => command));
  const refusals = new Set([refused, ...alsoRefused].map((one) => one?.index));
  return commands.flatMap((command, index): readonly UnsoldLine[] => {
    const offer = offerOf(command, catalogue);
    if (!isPurchase(command)) return [{ index, why: 'not-by-checkout' }];
    if (!changing.has(index) && !refusals.has(index)) return [{ index, why: 'nothing-new' }];
    return offer?.soldOnline === true ? [] : [{ index, why: 'no-price' }];
  });
}

const isPurchase = ({ type }: DraftCommand): boolean => type === 'AssignPlan' || type === 'PurchaseAddOn';

const offerOf = ({ data }: DraftCommand, { plans, addOns }: Pick<Catalogue, 'plans' | 'addOns'>) =>
  'addOn' in data
    ? addOns.find(({ addOn }) => addOn === data['addOn'])
    : plans.find(({ line, plan }) => line === data['line'] && plan === data['plan']);
