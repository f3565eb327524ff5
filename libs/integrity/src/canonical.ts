import canonicalize from 'canonicalize';
import { LogError } from '@charter/event-log';

/**
 * The canonical form (RFC 8785) of a JSON value.
 * @throws LogError `invalid` for values that JSON cannot represent
 */
export function canonicalJson(value: unknown): string {
  try {
    const text = plainCanonical(value) ?? canonicalize(value);
    if (text !== undefined) return text;
  } catch (cause) {
    throw new LogError('invalid', `This is not JSON: ${String(cause)}`, { cause });
  }
  throw new LogError('invalid', 'This is not JSON.');
}

/** Converts a value to plain JSON, as a store does, and returns its canonical text. Equal values have equal texts. */
export const canonicalText = (value: unknown): string => canonicalJson(JSON.parse(JSON.stringify(value)));

/**
 * The canonical form of a value for which `JSON.stringify` writes this form if all keys are sorted; this is several
 * times faster than `canonicalize`. Undefined for all other values, which only `canonicalize` converts or refuses.
 */
function plainCanonical(value: unknown): string | undefined {
  const sorted = sortedCopy(value, 0);
  const text = sorted === unusual ? undefined : JSON.stringify(sorted);
  // `JSON.stringify` escapes a lone surrogate, which RFC 8785 refuses.
  return text?.includes(String.raw`\ud`) ? undefined : text;
}

/** Returns the value itself if all of its keys are sorted, and `unusual` for a value that is not plain JSON. */
function sortedCopy(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : unusual;
  if (typeof value !== 'object' || depth > DEPTH_MAX) return unusual;
  if (Array.isArray(value)) return 'toJSON' in value ? unusual : sortedItems(value, depth);
  return Object.getPrototypeOf(value) === Object.prototype ? sortedFields(value as Fields, depth) : unusual;
}

function sortedItems(items: readonly unknown[], depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const sorted = sortedCopy(items[index], depth + 1);
    if (sorted === unusual) return unusual;
    if (sorted !== items[index]) (copy ??= [...items])[index] = sorted;
  }
  return copy ?? items;
}

function sortedFields(fields: Fields, depth: number): unknown {
  let copy = areKeysSorted(fields) ? undefined : withSortedKeys(fields);
  const source = copy ?? fields;
  for (const key in source) {
    if (isUnusualKey(key)) return unusual;
    const value = source[key];
    // `JSON.stringify` and `canonicalize` omit a field that is undefined.
    if (typeof value === 'string' || value === undefined) continue;
    const sorted = sortedCopy(value, depth + 1);
    if (sorted === unusual) return unusual;
    if (sorted !== value) (copy ??= { ...fields })[key] = sorted;
  }
  return copy ?? fields;
}

/**
 * Whether the keys are in the order of their UTF-16 code units. Makes no list of the keys, because it runs for each
 * object of each event.
 */
function areKeysSorted(fields: Fields): boolean {
  let previous = '';
  for (const key in fields) {
    if (key < previous) return false;
    previous = key;
  }
  return true;
}

const withSortedKeys = (fields: Fields): Record<string, unknown> =>
  Object.fromEntries(sortedKeys(Object.keys(fields)).map((key) => [key, fields[key]]));

/**
 * The keys in the order of their UTF-16 code units. Remembers one order for each number of keys, because most events
 * of a history have the same keys.
 */
function sortedKeys(keys: readonly string[]): readonly string[] {
  const known = lastSorted[keys.length];
  if (known && keys.every((key, index) => key === known.keys[index])) return known.sorted;
  const sorted = keys.toSorted();
  if (keys.length < KEYS_MAX) lastSorted[keys.length] = { keys, sorted };
  return sorted;
}
const lastSorted: (Readonly<{ keys: readonly string[]; sorted: readonly string[] }> | undefined)[] = [];

/**
 * JavaScript sorts keys that are array indexes as numbers, `__proto__` would set the prototype of a copy, and
 * `JSON.stringify` calls `toJSON`.
 */
const isUnusualKey = (key: string): boolean => startsWithDigit(key) || key === '__proto__' || key === 'toJSON';

const startsWithDigit = (key: string): boolean => key >= '0' && key < ':';

type Fields = Readonly<Record<string, unknown>>;

/** Deeper values could exceed the call stack; `canonicalize` needs no recursion. */
const DEPTH_MAX = 100;
/** The maximum number of keys whose order is remembered. */
const KEYS_MAX = 64;
const unusual = Symbol('not plain JSON');
