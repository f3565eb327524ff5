import { dateFormat } from './cached-formats';
import { createStoredChoice } from './stored-choice';

/** The time zone of all dates and times on the pages: UTC, or the zone of this device. */
export const timeZone = createStoredChoice('charter-time-zone', ['utc', 'local']);

/** The time zone of this device, such as `Europe/Helsinki`. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

type MomentStyle = Readonly<{
  dateStyle?: 'medium';
  timeStyle?: 'short' | 'medium';
  year?: 'numeric';
  month?: 'short';
  hour?: 'numeric';
  minute?: '2-digit';
}>;

const chosenZone = () => (timeZone.current() === 'utc' ? 'UTC' : deviceZone());
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
