import { documentLists } from '../../../document-lists';
import { eventGroups, eventTypeNames } from '../wording/event-types';
import { actorKinds, type FilterNames, namedText, namesAfter } from './filter-text';

/** A suggested text, which can replace the word that the person is typing. */
export type Suggestion = Readonly<{ insert: string; label: string }>;

const COUNT_MAX = 8;
const keys = ['type:', '-type:', 'actor:', 'about:', 'after:', 'before:', '#'];
/** The subjects that a filter can name, in the order of the suggestions. */
const subjects = new Set(['members', 'sites', 'plans', 'addOns', 'limits', ...documentLists, 'traffic']);

/**
 * The suggestions for the last word of a filter.
 * @param label returns the words for a filter key, a group of events, an event type or a kind of actor
 */
export function suggestionsFor(text: string, names: FilterNames, label: (id: string) => string): readonly Suggestion[] {
  const word = lastWord(text);
  const [, key, begun = ''] = /^(-?[a-z]+):"?([^"]*)"?$/i.exec(word) ?? [];
  if (key === undefined)
    return keys
      .filter((one) => one.startsWith(word))
      .map((insert) => ({ insert, label: label(`filter.key.${insert}`) }));
  const values = valuesOf(key.toLowerCase(), names, label);
  const wanted = begun.split(',').at(-1)!.toLowerCase();
  const before = key.endsWith('type') && begun.includes(',') ? begun.slice(0, begun.lastIndexOf(',') + 1) : '';
  return values
    .filter(({ insert, label }) => [insert, label].some((one) => one.toLowerCase().includes(wanted)))
    .slice(0, COUNT_MAX)
    .map(({ insert, label, text = () => insert }) => ({
      insert: `${key}:${quotedIfNeeded(before + text())} `,
      label,
    }));
}

type SuggestedValue = Suggestion & Readonly<{ text?: () => string }>;

function valuesOf(key: string, names: FilterNames, label: (id: string) => string): readonly SuggestedValue[] {
  const named = (key: 'actor' | 'about') =>
    [...namesAfter(key, names)].map(([value, name]) => ({
      insert: name,
      label: name,
      text: () => namedText(key, value, names),
    }));
  if (key === 'type' || key === '-type')
    return [
      ...eventGroups.map((group) => ({ insert: group, label: label(`group.${group}`) })),
      ...eventTypeNames.map((type) => ({ insert: type, label: label(`event.${type}`) })),
    ];
  if (key === 'actor')
    return [...actorKinds.map((kind) => ({ insert: kind, label: label(`actor.${kind}`) })), ...named(key)];
  if (key === 'about')
    return [...[...subjects].map((field) => ({ insert: field, label: label(`subject.${field}`) })), ...named(key)];
  return [];
}

const quotedIfNeeded = (value: string) => (/\s/.test(value) ? `"${value}"` : value);

/** The word at the end of a text; a value in quotation marks is one word. */
export const lastWord = (text: string): string => /(?:-?[a-z]+:"[^"]*"?|\S*)$/i.exec(text)![0];
