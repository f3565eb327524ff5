/** The values of the parameter `why` without a slash that are not limits. */
const fields = new Set(['traffic', 'serviceLevel']);

/**
 * The path for `GET …/changes` of the value in the address parameter `why`. In `why`, a name without a slash means a
 * limit; `features/logo` and `plans/second` are already paths.
 */
export const pathOfWhy = (why: string): string => (why.includes('/') || fields.has(why) ? `/${why}` : `/limits/${why}`);
