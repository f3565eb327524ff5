import { domainToUnicode } from 'node:url';

/** The text that replaces each name or address of an erased person in a provider's message. */
const ERASED = '[erased]';

/**
 * Removes a name or address of a person from a message, whether the message writes it in upper or lower case. Replaces
 * the name or address in every value and key in which it appears as separate words. Keys and types that the provider
 * defines stay, so that the erasure of a person named `object` does not make other messages unreadable.
 * @returns null for a text that is not JSON
 */
export function redacted(raw: string, text: string): string | null {
  const mention = new RegExp(writtenForms(text).flatMap(patternsOf).join('|'), 'giu');
  const without = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return isProviderTerm(key, value) ? value : value.replace(mention, ERASED);
    if (Array.isArray(value)) return value.map((item) => without(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [named(name), without(item, name)]));
  };
  const named = (key: string) => (keys.has(key) ? key : key.replace(mention, ERASED));
  try {
    return JSON.stringify(without(JSON.parse(raw), ''));
  } catch {
    return null;
  }
}

/** The spellings to search for: each written form of the text, and its URL-encoded forms. */
export const spellings = (text: string): readonly string[] => [
  ...new Set(writtenForms(text).flatMap((form) => [form, ...urlEncoded(form)])),
];

/**
 * The text itself, an address with its host in Unicode, and a name in other word orders, each with composed and with
 * decomposed accents.
 */
const writtenForms = (text: string): readonly string[] => [
  ...new Set(
    [text, ...withUnicodeHost(text), ...otherOrders(text)].flatMap((one) => [
      one,
      one.normalize('NFC'),
      one.normalize('NFD'),
    ]),
  ),
];

/** Charter stores the host of an address in ASCII, but a provider may write the host in Unicode. */
function withUnicodeHost(text: string): readonly string[] {
  const [, local = '', host = ''] = /^(.+@)(.+)$/s.exec(text) ?? [];
  const unicode = domainToUnicode(host);
  return unicode === '' ? [] : [`${local}${unicode}`];
}

function urlEncoded(text: string): readonly string[] {
  const encoded = encodeURIComponent(text.toWellFormed());
  return [encoded, encoded.replaceAll('%20', '+')];
}

/** Whether an end of the text is written in a script that puts no space between a name and the next word. */
export const isInUnspacedScript = (text: string): boolean => unspacedStart.test(text) || unspacedEnd.test(text);
const unspaced = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}]';
const unspacedStart = new RegExp(`^${unspaced}`, 'u');
const unspacedEnd = new RegExp(`${unspaced}\\p{M}*$`, 'u');

/**
 * Patterns that find a form of the text, plain and URL-encoded, as separate words; in scripts without spaces, also
 * within longer text.
 */
function patternsOf(form: string): readonly string[] {
  // The last digit of a URL-encoded character is no part of a word.
  const before = unspacedStart.test(form) ? '' : '(?:(?<=%[0-9a-f]{2})|(?<![\\p{L}\\p{N}]))';
  const after = unspacedEnd.test(form) ? '' : '(?![\\p{L}\\p{M}\\p{N}])';
  return [form, ...urlEncoded(form)].map((written) => `${before}${literally(written)}${after}`);
}

/**
 * Other word orders of a name with several words: the last word first, or the first word last; with and without a
 * comma.
 */
function otherOrders(text: string): readonly string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return [words.length - 1, 1]
    .filter((first) => first < words.length && first > 0)
    .flatMap((first) => {
      const [behind, before] = [words.slice(0, first).join(' '), words.slice(first).join(' ')];
      return [', ', ' ', ','].map((between) => `${before}${between}${behind}`);
    });
}

const literally = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/**
 * Whether a value belongs to the provider's format, so that the value stays: a word in a `fixed` field, an id in the
 * form of Stripe's ids, or a UUID.
 */
const isProviderTerm = (key: string, value: string) =>
  (fixed.has(key) && /^[a-z_.]+$/.test(value)) || stripeId.test(value) || uuid.test(value);

const fixed: ReadonlySet<string> = new Set(['object', 'type', 'status', 'specversion', 'line', 'plan', 'addOn']);
const stripeId = /^(evt|sub|si|cus|price|prod|plan|acct)_(?=\w*\d)[A-Za-z0-9]{8,}$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const keys: ReadonlySet<string> = new Set([
  ...['object', 'id', 'type', 'created', 'livemode', 'account', 'data', 'status', 'customer', 'items', 'has_more'],
  ...['metadata', 'organization', 'price', 'product', 'quantity'],
  ...['specversion', 'source', 'subject', 'time', 'line', 'plan', 'addOn', 'purchase', 'subscription'],
]);
