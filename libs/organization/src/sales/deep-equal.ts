/**
 * Whether two JSON values are equal, for example the content of two sales. The order of an object's fields does not
 * count, because a catalogue can list the same terms in another order.
 */
export function isDeepEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  const [text, otherText] = [jsonOf(one), jsonOf(other)];
  // The texts of equal values have the same length. So the slower comparison is rare.
  return text === otherText || (text?.length === otherText?.length && sortedJson(one) === sortedJson(other));
}

const jsonOf = (value: unknown) => JSON.stringify(value) as string | undefined; // no JSON text for undefined

/** The JSON text of a value, with the fields of each object sorted by name. */
export const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? sorted(inner) : inner));

const sorted = (record: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)));

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
