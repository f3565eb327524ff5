import type { EntitlementReason } from '@charter/organization';

type Kind = EntitlementReason['kind'];

/**
 * The metadata of a flag about its reasons: `because`, the reasons as one line of text, and `event`, the revision of
 * the newest event in this line. Both are absent without a reason.
 */
export const reasonMetadata = (reasons: readonly EntitlementReason[]): { because?: string; event?: number } =>
  reasons.length === 0 ? {} : { because: reasonsText(reasons), event: Math.max(...reasons.map(({ event }) => event)) };

/**
 * The reasons as one line, for example `plan second/solo (event 1) + additionalUser ×3 (event 2); hard limit 2 (event
 * 1)`. The reasons that change a sum follow a semicolon.
 */
function reasonsText(reasons: readonly EntitlementReason[]): string {
  const summands = reasons.filter(({ kind }) => !isCorrection(kind)).map(reasonText);
  const corrections = reasons.filter(({ kind }) => isCorrection(kind)).map(reasonText);
  return [summands.join(' + '), ...corrections].filter((part) => part !== '').join('; ');
}

/** Whether the reason limits a sum, or lifts the hard limit of a sum. */
const isCorrection = (kind: Kind) => kind === 'hard-limit' || kind === 'override';

const reasonText = (reason: EntitlementReason): string => `${texts[reason.kind](reason)} (event ${reason.event})`;

const texts: Readonly<Record<Kind, (reason: EntitlementReason) => string>> = {
  plan: ({ what }) => `plan ${what}`,
  'add-on': ({ what, quantity }) => (quantity === undefined ? what : `${what} ×${quantity}`),
  'by-hand': ({ what, amount }) => (amount === Infinity ? `${what}: unlimited` : `${what}: ${amount}`),
  always: ({ what }) => what,
  none: ({ what }) => what,
  'not-in-plan': ({ what }) => `not in ${what}`,
  'service-level': ({ what }) => `service level ${what}`,
  'hard-limit': ({ amount }) => `hard limit ${amount}`,
  override: ({ what }) => `override: ${what}`,
  product: ({ what }) => `product ${what}`,
  closed: ({ what }) => `closed: ${what}`,
  report: ({ what }) => `report ${what}`,
};
