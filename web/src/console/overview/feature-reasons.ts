import type { Offer, PreviewReason } from '@charter/client';
import type { ConsoleWords } from '../words';

/** Whether a feature is on, and why. A reason of a preview may be a command instead of an event. */
export type FeatureReasons = Readonly<{ on: boolean; because: readonly PreviewReason[] }>;

/** One reason why a feature is on or off. */
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

/** Why a feature is off. Each reason must change before the feature is on, so the text names all reasons. */
export const whyOff = ({ because }: Pick<FeatureReasons, 'because'>, words: ConsoleWords): string =>
  because.map((one) => reasonOf(one, words)).join(' · ');

/**
 * The offers of today's catalogue that would turn a feature on, in one sentence. Undefined if the feature is on, if the
 * organization is closed or the product is off, or until the catalogue has arrived.
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
 * The name of an offer. A plan that the organization holds keeps the terms of its sale, so its name says that only
 * today's terms turn the feature on.
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
