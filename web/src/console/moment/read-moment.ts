import { isIsoMoment } from './page-moment';

/** A text in the field for moments, as the console understands it. */
export type MomentReading =
  | Readonly<{ kind: 'present' }>
  | Readonly<{ kind: 'unreadable' }>
  | Readonly<{ kind: 'revision'; revision: number }>
  | Readonly<{ kind: 'moment'; at: string }>;

/** The maximum length of the text in characters. Even a pasted event is shorter, so a longer text is not a moment. */
const LENGTH_MAX = 10_000;

/**
 * Reads a typed or pasted moment: a revision, a date with or without a time, a word, or the JSON of an event. A time
 * without a zone is UTC. Examples: `#1,191`, `2 May 2026 21:33`, `May 2, 2026, 9:33 PM GMT+3`, `2.5.2026 21.33`, ISO
 * 8601, `yesterday`, `3 days ago`, `founded`, `now`.
 * @param now milliseconds since 1970
 */
export function readMoment(text: string, now: number): MomentReading {
  const words = text.trim().toLowerCase();
  if (words === '' || words.length > LENGTH_MAX) return unreadable;
  if (words.startsWith('{')) return pastedEvent(text);
  const fixed = fixedWords.get(words);
  if (fixed) return fixed;
  const revision = /^#?\s?(\d[\d\s.,’']{0,20})$/.exec(words)?.[1]?.replace(/\D/g, '');
  if (revision !== undefined && (words.startsWith('#') || /^\d+$/.test(words)) && revision.length <= 15)
    return { kind: 'revision', revision: Number(revision) };
  return ago(words, now) ?? dated(words) ?? unreadable;
}

const unreadable = { kind: 'unreadable' } as const;

const fixedWords: ReadonlyMap<string, MomentReading> = new Map([
  ['now', { kind: 'present' }],
  ['nyt', { kind: 'present' }],
  ['founded', { kind: 'revision', revision: 0 }],
  ['perustettu', { kind: 'revision', revision: 0 }],
]);

/** Reads the JSON of an event that a person copied. The moment is the revision of the event. */
function pastedEvent(text: string): MomentReading {
  try {
    const pasted = JSON.parse(text) as { revision?: unknown; data?: { revision?: unknown } | null };
    const revision = pasted.revision ?? pasted.data?.revision; // an exported line has the event in its field `data`
    return Number.isSafeInteger(revision) && Number(revision) >= 0
      ? { kind: 'revision', revision: Number(revision) }
      : unreadable;
  } catch {
    return unreadable;
  }
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const units: readonly (readonly [words: RegExp, milliseconds: number])[] = [
  [/^(seconds?|sekuntia?|sekunti)$/, SECOND],
  [/^(minutes?|minuuttia?|minuutti)$/, MINUTE],
  [/^(hours?|tuntia?|tunti)$/, 3_600 * SECOND],
  [/^(days?|päivää|päivä)$/, 86_400 * SECOND],
  [/^(weeks?|viikkoa?|viikko)$/, 7 * 86_400 * SECOND],
];

/** Reads `yesterday` and `3 days ago`, in English and in Finnish. */
function ago(words: string, now: number): MomentReading | undefined {
  if (words === 'yesterday' || words === 'eilen') return at(now - 86_400 * SECOND);
  const [, count, unit] = /^(\d{1,6}) (\p{L}+) (?:ago|sitten)$/u.exec(words) ?? [];
  const length = units.find(([names]) => names.test(unit ?? ''))?.[1];
  return length === undefined ? undefined : at(now - Number(count) * length);
}

const at = (time: number): MomentReading | undefined =>
  time >= Date.UTC(1970, 0) ? { kind: 'moment', at: new Date(time).toISOString() } : undefined;

const months = [
  ['january', 'tammikuu'],
  ['february', 'helmikuu'],
  ['march', 'maaliskuu'],
  ['april', 'huhtikuu'],
  ['may', 'toukokuu'],
  ['june', 'kesäkuu'],
  ['july', 'heinäkuu'],
  ['august', 'elokuu'],
  ['september', 'syyskuu'],
  ['october', 'lokakuu'],
  ['november', 'marraskuu'],
  ['december', 'joulukuu'],
];
/** The index of a month, from its name or from at least three letters at the beginning of its name. */
const monthOf = (word: string): number =>
  months.findIndex((names) =>
    names.some((name) => word.length >= 3 && (name.startsWith(word) || word === `${name}ta`)),
  );

const TIME = String.raw`(?:[t,\s]+(?:klo\s)?(\d{1,2})[:.](\d\d)(?:[:.](\d\d)(?:[.,](\d{1,3}))?)?(?:\s?([ap])m)?)?`;
/** A zone as the pages print it: `UTC`, `GMT+5:30`, `UTC+5.30` (Finnish), or a zone of North America such as `EDT`. */
const ZONE = String.raw`\s*(?:z|(?:utc|gmt)(?:([+−-])(0?\d|1[0-4])(?:[:.]([0-5]\d))?)?|([aecmp]|ak|ha?)([sd])t)?`;
/** The beginnings of the names of North America's zones, from 4 to 10 hours behind UTC in standard time. */
const namedZones = ['a', 'e', 'c', 'm', 'p', 'ak', 'ha'];
const isoDate = new RegExp(`^(\\d{4})-(\\d{1,2})-(\\d{1,2})${TIME}${ZONE}$`);
const numbered = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})${TIME}${ZONE}$`);
const dayFirst = new RegExp(`^(\\d{1,2})\\.?\\s(\\p{L}+)\\.?\\s(\\d{4})${TIME}${ZONE}$`, 'u');
const monthFirst = new RegExp(`^(\\p{L}+)\\.?\\s(\\d{1,2}),?\\s(\\d{4})${TIME}${ZONE}$`, 'u');

function dated(words: string): MomentReading | undefined {
  const iso = isoDate.exec(words);
  if (iso) return moment(iso[1], Number(iso[2]), iso[3], iso.slice(4));
  const number = numbered.exec(words);
  if (number) return moment(number[3], Number(number[2]), number[1], number.slice(4));
  const named = dayFirst.exec(words);
  if (named) return moment(named[3], monthOf(named[2]!) + 1, named[1], named.slice(4));
  const inUsOrder = monthFirst.exec(words);
  return inUsOrder ? moment(inUsOrder[3], monthOf(inUsOrder[1]!) + 1, inUsOrder[2], inUsOrder.slice(4)) : undefined;
}

/** A moment in UTC; undefined if it does not exist, for instance on 30 February or at 25:00. */
function moment(year = '', month: number, day = '', time: readonly (string | undefined)[]): MomentReading | undefined {
  const [hour = '0', minute = '00', second = '00', fraction = '', meridiem, ...zone] = time;
  if (meridiem !== undefined && (Number(hour) < 1 || Number(hour) > 12)) return undefined;
  const hours = meridiem === undefined ? hour : (Number(hour) % 12) + (meridiem === 'p' ? 12 : 0);
  const two = (part: string | number) => String(part).padStart(2, '0');
  const local = `${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`;
  if (!isIsoMoment(local)) return undefined;
  const at = new Date(Date.parse(local) - offsetOf(zone)).toISOString();
  return isIsoMoment(at) ? { kind: 'moment', at } : undefined;
}

/** The offset of a zone from UTC in milliseconds: positive if the zone is ahead of UTC, 0 without a zone. */
function offsetOf([sign, hours = '0', minutes = '0', name, standardOrDaylight]: readonly (
  string | undefined
)[]): number {
  if (name !== undefined) {
    const behind = namedZones.findIndex((zone) => zone.startsWith(name)) + 4; // `hst` and `hast` are the same zone
    return (standardOrDaylight === 'd' ? 1 - behind : -behind) * 60 * MINUTE;
  }
  return (Number(hours) * 60 + Number(minutes)) * MINUTE * (sign === '+' ? 1 : -1);
}
