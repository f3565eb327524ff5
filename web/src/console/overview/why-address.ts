/** The values that are not limits, and whose names contain no slash. */
const fields = new Set(['traffic', 'serviceLevel']);

/**
 * The path of the value that the parameter `why` of an address names, in the form that `GET …/changes` accepts. A name
 * without a slash is a limit; `features/logo` and `plans/second` are paths.
 */
export const pathOfWhy = (why: string): string => (why.includes('/') || fields.has(why) ? `/${why}` : `/limits/${why}`);
