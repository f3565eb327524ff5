/** If a person typed a longer text than this number of characters, the page first shows only its beginning. */
export const TYPED_MAX = 200;

/**
 * Puts a text between Unicode isolates (FSI, PDI). So a right-to-left text does not reorder the sentence that contains
 * it.
 */
export const isolatedText = (text: string): string => `\u2068${text}\u2069`;

/** Shortens a text that a person typed, and isolates it. */
export const typed = (text: string): string =>
  isolatedText(text.length > TYPED_MAX ? `${text.slice(0, TYPED_MAX)}…` : text);
