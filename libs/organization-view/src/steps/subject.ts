import {
  type ChangedPart,
  changedPart,
  type EventType,
  eventTypes,
  isEventType,
  isList,
  type Organization,
  type OrganizationEvent,
  partChangedBy,
} from '@charter/organization';
import { listPath } from './keyed-document';

/** The fields of the state that documents print under another name. */
const printedAs: { readonly [Field in keyof Organization]?: string } = {
  purchases: 'addOns',
  limitsByHand: 'limits',
  override: 'limits',
  billingAccount: 'billing',
};

/** The subject of an event as a path in the keyed document: an entry such as `members` and its id, or a field. */
export function subjectOf([field, id]: ChangedPart): readonly string[] {
  const path = isList(field) ? listPath(field) : [printedAs[field] ?? field];
  return id === undefined ? path : [...path, id];
}

/**
 * Which events of a type are about a path, or about a value below the path: all, none, or only the events about one
 * entry.
 */
export type SubjectMatch = 'all' | 'none' | Readonly<{ entry: string }>;

export function matchOf(type: EventType, names: readonly string[]): SubjectMatch {
  const { field, isEntry } = partChangedBy(type);
  const path = subjectOf([field]);
  if (names.every((name, index) => path[index] === name)) return 'all';
  const isOneBelow = isEntry && names.length === path.length + 1 && path.every((name, index) => names[index] === name);
  return isOneBelow ? { entry: names.at(-1)! } : 'none';
}

/** The first segments that the path of an event's subject can have. */
export const subjectNames: readonly string[] = [
  ...new Set(eventTypes.map((type) => subjectOf([partChangedBy(type).field])[0]!)),
];

/** Whether events of at least one type are about the value at this path, or about a value below it. */
export const isSubject = (names: readonly string[]): boolean =>
  names.length > 0 && eventTypes.some((type) => matchOf(type, names) !== 'none');

/** Whether an event is about a path, or about a value below the path. False for an event of an unknown type. */
export const isAbout =
  (names: readonly string[]) =>
  ({ type, data }: Readonly<{ type: string; data: unknown }>): boolean => {
    const match = isEventType(type) ? matchOf(type, names) : 'none';
    if (typeof match === 'string' || typeof data !== 'object' || data === null) return match === 'all';
    const [, id] = changedPart({ type, data } as OrganizationEvent);
    return id === match.entry;
  };
