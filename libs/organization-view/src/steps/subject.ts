import { type ChangedPart, type List, lists, type Organization } from '@charter/organization';
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
