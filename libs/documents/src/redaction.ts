/** What stands where a provider's message named somebody who is erased. */
export const ERASED = '[erased]';

/**
 * A message without a text that names a person, in whatever letters: every value that says it as words of its own says
 * something else in its place, and the rest can still be read. Words and ids of the provider's own stay, for whoever calls
 * themselves `object` must not make others' messages unreadable. Nothing at all for what is no JSON.
 */
export function redacted(raw: string, text: string): string | null {
  const mention = new RegExp(`(?<![\\p{L}\\p{N}])${literally(text)}(?![\\p{L}\\p{N}])`, 'giu');
  const without = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return isMachine(key, value) ? value : value.replace(mention, ERASED);
    if (Array.isArray(value)) return value.map((item) => without(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [named(name), without(item, name)]));
  };
  const named = (key: string) => (key.includes('@') || key.includes(' ') ? key.replace(mention, ERASED) : key);
  try {
    return JSON.stringify(without(JSON.parse(raw), ''));
  } catch {
    return null;
  }
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Values by which messages are understood: words of a fixed meaning under these keys, ids such as `evt_1`, and UUIDs. */
const isMachine = (key: string, value: string) =>
  !/[\s@]/.test(value) &&
  (words.has(key) || /^[a-z]+_\w+$/.test(value) || /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value));

const words: ReadonlySet<string> = new Set([
  ...['object', 'type', 'status', 'id', 'specversion', 'source', 'subject', 'time'],
  ...['line', 'plan', 'addOn', 'purchase', 'subscription', 'customer', 'price', 'product', 'organization'],
]);
