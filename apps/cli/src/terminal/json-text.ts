/** A JSON text without control characters: `JSON.stringify` escapes only those below U+0020. */
export const jsonText = (json: unknown, indent?: number): string =>
  JSON.stringify(json, null, indent).replace(/[\u007f-\u009f]/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`);
