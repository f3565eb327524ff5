import type { Offer, PreviewReason } from '@charter/client';
import type { ConsoleWords } from '../words';

/** Whether a feature is on, and why. In a preview, the cause in a reason may be a command instead of an event. */
export type FeatureReasons = Readonly<{ on: boolean; because: readonly PreviewReason[] }>;

/** The words for one reason why a feature is on or off. */
export function reasonOf({ kind, what }: PreviewReason, { text, plan, addOn, name }: ConsoleWords): string {
  if (kind === 'plan') return text('features.because.plan', { plan: plan(what) });
  if (kind === 'not-in-plan') return text('features.because.not-in-plan', { plan: plan(what) });
  if (kind === 'none') return text('features.because.none');
  if (kind === 'add-on') return text('features.because.add-on', { addOn: addOn(what) });
  if (kind === 'service-level' && what === 'none') return text('features.because.no-service-level');
  if (kind === 'service-level') return text('features.because.service-level', { level: name(what) });
  if (kind === 'product') return text('features.because.product');
  if (kind === 'closed') return text('features.because.closed');
  return what;
}

/** Why a feature is off. The feature turns on only if no reason remains, so the text contains all reasons. */
export const whyOff = ({ because }: Pick<FeatureReasons, 'because'>, words: ConsoleWords): string =>
  because.map((one) => reasonOf(one, words)).join(' · ');

/**
 * A sentence with the plans, add-ons and service levels of today's catalogue that would turn a feature on. Undefined if
 * the feature is on, the organization is closed, the product is off, or the catalogue is not loaded yet.
 */
export function offeredToday(
  { on, because }: FeatureReasons,
  offers: readonly Offer[] | undefined,
  words: ConsoleWords,
): string | undefined {
  if (!offers || on || because.some(({ kind }) => kind === 'product' || kind === 'closed')) return undefined;
  const { text, oneOf } = words;
  if (offers.length === 0) return text('features.today.nothing');
  return text('features.today', { offers: oneOf(offers.map((offer) => offerInWords(offer, because, words))) });
}

/** Whether the offer is a plan that the organization holds on terms of an earlier sale. */
export const isHeldOffer = ({ kind, what }: Offer, because: readonly PreviewReason[]): boolean =>
  kind === 'plan' && because.some((one) => one.kind === 'not-in-plan' && one.what === what);

/**
 * The name of an offer. A held plan keeps the terms of its sale, so the plan's name says that only today's terms turn
 * the feature on.
 */
export function offerInWords(
  { kind, what }: Offer,
  because: readonly PreviewReason[],
  { text, plan, addOn, name }: ConsoleWords,
): string {
  const isHeld = isHeldOffer({ kind, what }, because);
  if (kind === 'plan') return isHeld ? text('features.offer.held-plan', { plan: plan(what) }) : plan(what);
  if (kind === 'add-on') return text('features.offer.add-on', { addOn: addOn(what) });
  return text('features.offer.service-level', { level: name(what) });
}
