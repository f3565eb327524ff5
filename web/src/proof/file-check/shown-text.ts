/** The maximum number of characters that a page shows of a text from a file. */
const LENGTH_MAX = 200;

/** Control characters, and the invisible characters that change the direction of the text after them. */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Shortens a text from a file, and replaces characters that could change the sentence around the text. The reason: an
 * attacker may have made the file, and one line of a file can be 64 MB long.
 */
export const shownText = (text: string): string =>
  (text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text).toWellFormed().replace(CONTROLS, '\ufffd');
