import type { Entitlements } from '@charter/client';

type Limits = Entitlements['limits'];

/** The bounds of the form fields for operators, the same as in the schemas of the commands. */
export const bounds = {
  amountByHand: { min: 0, max: 1_000_000_000 },
  views: { min: 0, max: Number.MAX_SAFE_INTEGER },
  term: { min: 0, max: Number.MAX_SAFE_INTEGER },
  reasonLength: 500,
} as const;

/** The limits that an operator can set by hand: all limits except those with a fixed amount. */
export const limitsByHand = (limits: Limits): readonly (keyof Limits)[] =>
  (Object.keys(limits) as (keyof Limits)[]).filter(
    (resource) => !limits[resource].because.some(({ kind, what }) => kind === 'always' && what === 'fixed'),
  );

/** The whole number that a typed text contains; undefined if the text is not a whole number within the bounds. */
export function wholeNumber(text: string, { min, max }: Readonly<{ min: number; max: number }>): number | undefined {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : undefined;
}
