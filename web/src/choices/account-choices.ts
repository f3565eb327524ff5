import { singleKeys } from './single-keys';
import { timeZone, zoneChoiceOf } from './time-zone';

let zoneOfAccount = '';
/** The choice of the time zone that the account had when the page was loaded. */
export const accountZone = (): string => zoneOfAccount;

/** Replaces the choices of the browser by those of the account. An unset choice stays as the browser has it. */
export function applyAccountChoices(page: Document): void {
  const choice = (name: string) => page.querySelector<HTMLMetaElement>(`meta[name="charter-${name}"]`)?.content ?? '';
  const [zone, keys] = [choice('time-zone'), choice('single-keys')];
  zoneOfAccount = zone && zoneChoiceOf(zone);
  if (zoneOfAccount !== '') timeZone.choose(zoneOfAccount);
  if (keys === 'on' || keys === 'off') singleKeys.choose(keys);
}
