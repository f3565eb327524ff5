const LENGTH_MAX = 200;

/**
 * Shortens a text that a person typed, and adds marks that separate its direction of writing from the direction of the
 * sentence.
 */
export const typed = (text: string): string =>
  `\u2068${text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text}\u2069`;
