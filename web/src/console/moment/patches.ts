import type { Step } from '@charter/client';

type Line = Step['document'][number];
/** A JSON object whose fields are compared and replaced. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Applies the lines of a patch to a JSON object. @throws Error if a line does not fit the object */
export const patched = (document: JsonObject, lines: readonly Line[]): JsonObject =>
  lines.reduce(
    (current, { op, path, value }) => changed(current, namesIn(path), op === 'remove' ? undefined : { value }),
    document,
  );

/**
 * Undoes the lines of a patch: computes the JSON object before the change from the object after the change.
 * @throws Error if a line does not fit the object
 */
export const unpatched = (document: JsonObject, lines: readonly Line[]): JsonObject =>
  lines.reduceRight(
    (current, { op, path, before }) => changed(current, namesIn(path), op === 'add' ? undefined : { value: before }),
    document,
  );

const namesIn = (path: string) =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * A copy with another value at a path; without a value, the field is removed. A computed key defines an own field, even
 * for names such as `__proto__`.
 */
function changed(
  document: JsonObject,
  [name, ...inner]: readonly string[],
  next: { value: unknown } | undefined,
): JsonObject {
  if (name === undefined) throw new Error('The line does not fit.');
  if (inner.length > 0) {
    if (!Object.hasOwn(document, name)) throw new Error('The line does not fit.');
    const value = document[name];
    if (typeof value !== 'object' || value === null) throw new Error('The line does not fit.');
    return { ...document, [name]: changed(value as JsonObject, inner, next) };
  }
  if (next) return { ...document, [name]: next.value };
  if (!Object.hasOwn(document, name)) throw new Error('The line does not fit.');
  return Object.fromEntries(Object.entries(document).filter(([field]) => field !== name));
}
