/** The segments of a JSON pointer (RFC 6901) without escapes, from the outermost to the innermost. */
export const namesIn = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * The value at a path; undefined if the document has no such value. Charter has its own function, because a library
 * would refuse names such as `constructor`, which can be the id of a purchase.
 */
export const valueAt = (names: readonly string[], document: unknown): unknown =>
  names.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Readonly<Record<string, unknown>>)[name]
        : undefined,
    document,
  );

export const pointerOf = (names: readonly string[]): string =>
  names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
