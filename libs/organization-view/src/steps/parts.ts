import { each, eventTypes, groupOf, type List, lists, partChangedBy } from '@charter/organization';
import { z } from 'zod';

/**
 * The part of an organization (`Part`) to which a list belongs. The part has the same name as the group of the list's
 * events.
 */
const partOf = (list: List) => groupOf(eventTypes.find((type) => partChangedBy(type).field === list)!);

/** The parts of an organization that a page of the console shows. A request for steps names the wanted parts. */
export const Part = z.enum([
  ...(['limits', 'features', 'traffic', 'plan', 'addOns'] as const),
  ...new Set(lists.map(partOf)),
  'settings',
]);
export type Part = z.infer<typeof Part>;

/** The two answers whose changes a step shows: an organization's document and its entitlements. */
export type Printed = 'document' | 'entitlements';

/** The parts to which each field of the document belongs. A field that is not listed belongs to `settings`. */
const documentParts = (product: string): Readonly<Record<string, readonly Part[]>> => ({
  limits: ['limits'],
  [`${product}Features`]: ['features'],
  plans: ['plan'],
  [`${product}Details`]: ['plan', 'settings'], // the plan's name and parallel use
  serviceLevel: ['plan'],
  addOns: ['addOns'],
  since: ['plan'],
  ...each(lists, (list) => [partOf(list)]),
});
const entitlementParts: Readonly<Record<string, readonly Part[]>> = {
  limits: ['limits'],
  features: ['features'],
  traffic: ['traffic'],
};

/** The fields that every answer contains, because they name the printed organization and revision. */
const everywhere: ReadonlySet<string> = new Set(['_id', 'organization', 'revision', 'at']);

/** Whether the field at the beginning of a path belongs to a wanted part. */
export function isWanted(path: string, of: Printed, product: string, only: readonly Part[] | undefined): boolean {
  const [, field = ''] = path.split('/');
  if (only === undefined || everywhere.has(field)) return true;
  const parts = of === 'document' ? (documentParts(product)[field] ?? ['settings']) : entitlementParts[field];
  return parts?.some((part) => only.includes(part)) === true;
}
