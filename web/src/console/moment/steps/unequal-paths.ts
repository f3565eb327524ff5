/**
 * The paths at which two JSON values differ, as JSON pointers (RFC 6901). The order of fields makes no difference. The
 * paths contain names of fields and ids of entries, but no values.
 */
export function unequalPaths(one: unknown, other: unknown, path = ''): readonly string[] {
  if (!isComparable(one, other)) return Object.is(one, other) ? [] : [path];
  const [fields, others] = [one, other].map((value) => new Map<string, unknown>(Object.entries(value as object)));
  return [...new Set([...fields!.keys(), ...others!.keys()])].flatMap((name) => {
    const inside = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const isInBoth = fields!.has(name) && others!.has(name);
    return isInBoth ? unequalPaths(fields!.get(name), others!.get(name), inside) : [inside];
  });
}

const isComparable = (one: unknown, other: unknown): boolean =>
  [one, other].every((value) => typeof value === 'object' && value !== null) &&
  Array.isArray(one) === Array.isArray(other);
