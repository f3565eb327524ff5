/** The maximum number of characters of a typed text that the page shows at first. */
const TYPED_MAX = 200;

/** The beginning of a text that a person typed; undefined if the text is short. A cut does not split a character. */
export function beginningOf(text: string): string | undefined {
  const characters = Array.from(text.slice(0, 2 * TYPED_MAX + 1)); // a character has at most two UTF-16 units
  return characters.length > TYPED_MAX ? `${characters.slice(0, TYPED_MAX).join('')}…` : undefined;
}

/**
 * Puts a text between Unicode isolates (FSI, PDI). Between isolates, a right-to-left text does not reorder the sentence
 * that contains it.
 */
export const isolatedText = (text: string): string => `\u2068${text}\u2069`;

/** Shortens a text that a person typed, and isolates it. */
export const typed = (text: string): string => isolatedText(beginningOf(text) ?? text);
