import { isRevision } from '../../../moment/page-moment';
import { readMoment } from '../../../moment/read-moment';
import { eventGroups, eventTypeNames, groupAbout, isEventTypeName, typesIn } from '../wording/event-types';
import type { HistoryFilter } from './event-filter';

/** The names that a person may write in a filter in place of ids. */
export type FilterNames = Readonly<{ people: ReadonlyMap<string, string>; sites: ReadonlyMap<string, string> }>;

/** A part of the text that the page cannot read as a filter, and the message that says why. */
type FilterProblem = Readonly<{ part: string; message: string }>;
export type FilterReading = Readonly<{ filter: HistoryFilter; problems: readonly FilterProblem[] }>;

export const FILTER_LENGTH_MAX = 1_000;
export const actorKinds = ['account', 'key', 'billing', 'system'];

/** A revision, also with separators as a page prints it, for example `1,191`. */
const revision = String.raw`(\d{1,3}(?:[\s.,’']\d{3}){1,4}(?!\d)|\d{1,15})`;
const parts = new RegExp(`(-?[a-z]+):(?:"([^"]*)"|(\\S*))|#${revision}?(?:\\.\\.#?${revision}?)?|(\\S+)`, 'gi');

/**
 * Reads the text of the filter box: `type:plan -type:PlanEnded actor:billing about:members after:2026-01-01
 * before:yesterday #100..200`. A value with spaces needs quotation marks.
 * @param now milliseconds since 1970
 */
export function readFilter(text: string, names: FilterNames, now: number): FilterReading {
  if (text.length > FILTER_LENGTH_MAX)
    return { filter: {}, problems: [{ part: '', message: 'filter.problem.too-long' }] };
  const filter: Record<string, string> = {};
  const problems: FilterProblem[] = [];
  for (const [part, key, quoted, plain, from, to] of text.matchAll(parts)) {
    const found = key === undefined ? revisionsOf(part, from, to) : valuesOf(key, quoted ?? plain ?? '', names, now);
    if (typeof found === 'string') problems.push({ part, message: found });
    else
      for (const [name, value] of Object.entries(found))
        filter[name] = listed.has(name) && filter[name] ? `${filter[name]},${value}` : value;
  }
  return { filter, problems };
}

const listed = new Set(['type', 'not-type']);

/**
 * The filter for a range of revisions such as `#100..200`, `#100..` or `#100`. For a wrong text, the id of the message
 * that says what is wrong.
 */
function revisionsOf(part: string, ...ends: readonly (string | undefined)[]): HistoryFilter | string {
  if (!part.startsWith('#')) return 'filter.problem.word';
  const [from, to] = ends.map((end) => end?.replace(/\D/g, ''));
  if (from === undefined && to === undefined) return 'filter.problem.range';
  if (!part.includes('..')) return { from: from!, to: from! };
  if (from !== undefined && to !== undefined && Number(from) > Number(to)) return 'filter.problem.range';
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}

function valuesOf(key: string, value: string, names: FilterNames, now: number): HistoryFilter | string {
  switch (key.toLowerCase()) {
    case 'type':
      return typesOf(value, (type) => ({ type }));
    case '-type':
      return typesOf(value, (type) => ({ 'not-type': type }));
    case 'actor':
      return actorOf(value, names);
    case 'about':
      return aboutOf(value, names);
    case 'request':
      return value === '' ? 'filter.problem.word' : { correlation: value };
    case 'after':
      return momentOf(value, now, (from) => ({ from }));
    case 'before':
      return momentOf(value, now, (to) => ({ to: new Date(Date.parse(to) - 1).toISOString() }));
    default:
      return 'filter.problem.word';
  }
}

/**
 * Reads a kind of actor, an id, a known name, or the beginning of a word in only one known name. Refuses any other
 * text, because the text may be the name of a person, which the address must not contain.
 */
function actorOf(value: string, names: FilterNames): HistoryFilter | string {
  const actor = value.toLowerCase();
  if (isId.test(actor) || actorKinds.includes(actor)) return { actor };
  return valueNamed(value, namesAfter('actor', names), 'filter.problem.actor', (actor) => ({ actor }));
}
const isId = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

function typesOf(value: string, made: (types: string) => HistoryFilter): HistoryFilter | string {
  const lower = (text: string) => text.toLowerCase();
  const types = value.split(',').map((name) => {
    const group = typesIn(lower(name));
    return group.length > 0 ? group : eventTypeNames.filter((type) => lower(type) === lower(name));
  });
  return types.some((found) => found.length === 0) ? 'filter.problem.type' : made(types.flat().join(','));
}

/**
 * Reads a path in the organization's document, a known name, or the beginning of a word in only one known name. Refuses
 * any other text, because the text may be the name of a person, which the address must not contain.
 */
function aboutOf(value: string, names: FilterNames): HistoryFilter | string {
  const path = value.replace(/^\//, '');
  if (groupAbout(path.split('/')[0]!) !== undefined) return { about: `/${path}` };
  return valueNamed(value, namesAfter('about', names), 'filter.problem.about', (about) => ({ about }));
}

function momentOf(value: string, now: number, made: (at: string) => HistoryFilter): HistoryFilter | string {
  const reading = readMoment(value, now);
  return reading.kind === 'moment' ? made(reading.at) : 'filter.problem.moment';
}

/** The known names by their value in the filter: by the id of an actor, or by the path of a subject. */
export function namesAfter(key: 'actor' | 'about', { people, sites }: FilterNames): ReadonlyMap<string, string> {
  if (key === 'actor') return people;
  const lists = Object.entries({ members: people, sites });
  return new Map(lists.flatMap(([list, known]) => [...known].map(([id, name]) => [`/${list}/${id}`, name])));
}

/**
 * The filter for the only value with this name. If no value has this name, the filter for the only value whose name
 * contains a word that begins with the text. For example, `okaf` finds `Ben Okafor`.
 */
function valueNamed(
  text: string,
  known: ReadonlyMap<string, string>,
  unknown: string,
  made: (value: string) => HistoryFilter,
): HistoryFilter | string {
  const wanted = text.toLowerCase();
  const valuesWith = (isWanted: (name: string) => boolean) =>
    [...known].flatMap(([value, name]) => (isWanted(name.toLowerCase()) ? [value] : []));
  const whole = valuesWith((name) => name === wanted);
  const found = whole.length > 0 || wanted === '' ? whole : valuesWith((name) => ` ${name}`.includes(` ${wanted}`));
  if (found.length > 1) return 'filter.problem.several';
  return found[0] === undefined ? unknown : made(found[0]);
}

/** The text for a value: its name if the page reads the name as this value, otherwise the id or the path. */
export function namedText(key: 'actor' | 'about', value: string, names: FilterNames): string {
  const name = namesAfter(key, names).get(value) ?? '"';
  const reading = name.includes('"') ? '' : valuesOf(key, name, names, 0);
  return typeof reading !== 'string' && reading[key] === value ? name : value.replace(/^\//, '');
}

/** The text of a filter, as a person would write it. */
export function textOf(filter: HistoryFilter, names: FilterNames): string {
  const words: string[] = [];
  const add = (key: string, value: string) => words.push(`${key}:${/\s/.test(value) ? `"${value}"` : value}`);
  if (filter.type !== undefined) add('type', shortTypes(filter.type));
  if (filter['not-type'] !== undefined) add('-type', shortTypes(filter['not-type']));
  if (filter.actor !== undefined) add('actor', namedText('actor', filter.actor, names));
  if (filter.about !== undefined) add('about', namedText('about', filter.about, names));
  if (filter.correlation !== undefined) add('request', filter.correlation);
  const { from, to } = filter;
  const range = [from, to].map((end) => (end !== undefined && isRevision(end) ? end : ''));
  if (range.some((end) => end !== '')) words.push(from === to ? `#${from}` : `#${range.join('..')}`);
  if (from !== undefined && !isRevision(from)) add('after', shortMoment(from));
  if (to !== undefined && !isRevision(to)) add('before', shortMoment(afterwards(to)));
  return words.join(' ');
}

/** Replaces all types of a group by the name of the group. */
function shortTypes(list: string): string {
  let types: readonly string[] = list.split(',');
  if (!types.every(isEventTypeName)) return list;
  const found: string[] = [];
  for (const group of eventGroups) {
    const whole = typesIn(group);
    if (!whole.every((type) => types.includes(type))) continue;
    found.push(group);
    types = types.filter((type) => !whole.some((other) => other === type));
  }
  return [...found, ...types].join(',');
}

/** The moment in a short form: only the date if the time is midnight. */
const shortMoment = (at: string) => at.replace(/T00:00(:00(\.0+)?)?Z$/, '');
const afterwards = (to: string) => {
  const time = Date.parse(to);
  return Number.isNaN(time) ? to : new Date(time % 1_000 === 999 ? time + 1 : time).toISOString();
};
