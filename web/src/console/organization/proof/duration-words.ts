import { numberFormat } from '../../../choices/cached-formats';

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A duration in the largest unit that needs no fraction: `90 minutes`. */
export function durationInWords(seconds: number, locale: string): string {
  const [unit, length] = units.find(([, one]) => seconds % one === 0) ?? units[3];
  return numberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / length);
}
