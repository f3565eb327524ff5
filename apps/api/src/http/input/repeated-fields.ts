/**
 * Whether an object in the JSON text names a field twice. `value` is the parsed text, and contains only the last value
 * of a repeated field.
 */
export const repeatsFields = (json: string, value: unknown): boolean => fieldsInText(json) !== fieldsInValue(value);

/** The number of fields in a JSON text, which is the number of colons outside of strings. */
function fieldsInText(json: string): number {
  let count = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isInString = !isInString;
    else if (code === BACKSLASH) at += 1;
    else if (code === COLON && !isInString) count += 1;
  }
  return count;
}
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/** The number of fields in a value that `JSON.parse` returned. Counts the fields of inner objects too. */
export function fieldsInValue(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += fieldsInValue(item);
  else for (const name in value) count += 1 + fieldsInValue((value as Record<string, unknown>)[name]);
  return count;
}
