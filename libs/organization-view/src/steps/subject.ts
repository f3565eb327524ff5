import {
  type ChangedPart,
  changedPart,
  eventTypes,
  isEventType,
  type List,
  lists,
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

export const isList = (field: string): field is List => lists.some((list) => list === field);

/** The subjects of all events without the ids of entries. */
const subjects = eventTypes.map((type) => {
  const { field, isEntry } = partChangedBy(type);
  return { path: subjectOf([field]), isEntry };
});

/** The first names of the paths that events can be about. */
export const subjectNames: readonly string[] = [...new Set(subjects.map(({ path }) => path[0]!))];

/** Whether some event can be about a path, or about something below it. */
export const isSubject = (names: readonly string[]): boolean =>
  names.length > 0 &&
  subjects.some(({ path, isEntry }) =>
    startsWith([...path, ...(isEntry ? names.slice(path.length, path.length + 1) : [])], names),
  );

/** Whether an event is about a path, or about something below it. No event of an unknown type is. */
export const isAbout =
  (names: readonly string[]) =>
  ({ type, data }: Readonly<{ type: string; data: unknown }>): boolean =>
    isEventType(type) &&
    typeof data === 'object' &&
    data !== null &&
    startsWith(subjectOf(changedPart({ type, data } as OrganizationEvent)), names);

const startsWith = (path: readonly string[], names: readonly string[]) =>
  names.every((name, index) => path[index] === name);
