import { dateFormat } from './cached-formats';
import { createStoredChoice } from './stored-choice';

/** The time zone of all dates and times on the pages: `utc`, `local` for the zone of this device, or another zone. */
export const timeZone = createStoredChoice<string>('charter-time-zone', ['utc', 'local'], isZoneChoice);

/** The time zone of this device, such as `Europe/Helsinki`. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

export type MomentStyle = Readonly<{
  dateStyle?: 'medium';
  timeStyle?: 'short' | 'medium';
  year?: 'numeric';
  month?: 'short';
  hour?: 'numeric';
  minute?: '2-digit';
}>;

/** The value that `timeZone` stores for the zone with this name: `utc` if the browser does not know the zone. */
export function zoneChoiceOf(name: string): string {
  if (name === deviceZone()) return 'local';
  return isZone(name) && name !== 'UTC' ? name : 'utc';
}

/** The name of the zone of a choice, for example `Europe/Helsinki`. */
export const zoneNameOf = (choice: string): string =>
  choice === 'utc' ? 'UTC' : choice === 'local' ? deviceZone() : choice;

function isZoneChoice(text: string): text is string {
  return text === 'local' || isZone(text);
}

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const chosenZone = () => zoneNameOf(timeZone.current());
let zone = chosenZone();
timeZone.listen(() => {
  zone = chosenZone();
});

/**
 * A moment in the chosen time zone. With `timeStyle`, the text names the zone.
 * @throws RangeError if the moment does not exist
 */
export function printedMoment(moment: string | number, locale: string, style: MomentStyle): string {
  const date = new Date(moment);
  const printed = dateFormat(locale, { ...style, timeZone: zone }).format(date);
  return style.timeStyle === undefined ? printed : `${printed} ${zoneAt(date, locale)}`;
}

/** The short name of the zone at a moment, such as `UTC` or `GMT+2`. */
function zoneAt(date: Date, locale: string): string {
  if (zone === 'UTC') return zone;
  const parts = dateFormat(locale, { hour: 'numeric', timeZoneName: 'short', timeZone: zone }).formatToParts(date);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
