const LENGTH_MAX = 200;

/**
 * Shortens a text that a person typed, and puts it between Unicode isolates (FSI, PDI).
 * So a right-to-left text does not reorder the sentence that contains it.
 */
export const typed = (text: string): string =>
  `\u2068${text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text}\u2069`;
