import { domainLists, each, type List, lists } from '@charter/organization';
import type { PublicDocument } from '../public-document';

/**
 * The public document with objects instead of lists, so that a path names the same entry before and after a change. The
 * key of an entry is its id; for an add-on, the key is the purchase's id.
 */
export type KeyedDocument = Readonly<Record<string, unknown>>;

export const keyedDocument = (document: PublicDocument): KeyedDocument => ({
  ...document,
  addOns: keyedBy('purchase', document.addOns),
  ...each(lists, (list) => keyedList(document[list] as PrintedList)),
});

/** The path of a list in the keyed document. */
export const listPath = (list: List): readonly string[] => (hasDomains(list) ? [list, 'domains'] : [list]);

type PrintedEntry = Readonly<{ _id: string }>;
/** A list in the form that the document prints: its entries, or an object with its domains. */
type PrintedList = readonly PrintedEntry[] | Readonly<{ domains: readonly PrintedEntry[] }>;

const keyedList = (printed: PrintedList) =>
  'domains' in printed ? { domains: keyedBy('_id', printed.domains) } : keyedBy('_id', printed);

const keyedBy = <Key extends string>(key: Key, entries: readonly Readonly<Record<Key, string>>[]) =>
  Object.fromEntries(entries.map((entry) => [entry[key], entry]));

const hasDomains = (list: List): boolean => domainLists.some((other) => other === list);

/** The paths of all objects in the keyed document whose keys are the ids of entries. */
export const keyedPaths: readonly (readonly string[])[] = [...lists.map(listPath), ['addOns']];
