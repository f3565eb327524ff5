import { singleKeys } from './single-keys';
import { timeZone, zoneChoiceOf } from './time-zone';

let zoneOfAccount = '';
/** The account's choice of a time zone when the page was loaded; empty if the account had no choice. */
export const accountZone = (): string => zoneOfAccount;

/**
 * Replaces the choices that the browser stores by the choices that the account stores. If the account has not stored a
 * choice, the browser's choice stays.
 */
export function applyAccountChoices(page: Document): void {
  const choice = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="charter-${name}"]`)?.content ?? '';
  const [zone, keys] = [choice('time-zone'), choice('single-keys')];
  zoneOfAccount = zone && zoneChoiceOf(zone);
  if (zoneOfAccount !== '') timeZone.choose(zoneOfAccount);
  if (keys === 'on' || keys === 'off') singleKeys.choose(keys);
}
