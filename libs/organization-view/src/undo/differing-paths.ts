import { isDeepEqual } from '@charter/organization';

export type Path = readonly string[];

/**
 * The paths of the innermost values in which two values differ. The empty path means that the values themselves differ.
 */
export function differingPaths(one: unknown, other: unknown): readonly Path[] {
  if (isDeepEqual(one, other)) return [];
  if (!isRecord(one) || !isRecord(other)) return [[]];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((name) =>
    differingPaths(one[name], other[name]).map((below) => [name, ...below]),
  );
}

/** Whether a path is the beginning of another path, or equals it. */
export const isWithin = (outer: Path, inner: Path): boolean => outer.every((name, index) => inner[index] === name);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
