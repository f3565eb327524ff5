import type { OrganizationEvent } from '@charter/client';
import { isDocumentList, pathOfList } from '../../../document-lists';

/**
 * Converts the path of a line in a difference to a path for `GET …/changes`. The first path refers to the recorded
 * state, and the second to the printed document. Returns undefined for a field that the printed document does not have.
 * @param productKey the key of the second product line, with which the names of its fields in the document begin
 */
export function valuePathOf(path: string, productKey: string): string | undefined {
  const [field = '', ...rest] = path.split('/').slice(1);
  const below = rest.map((name) => `/${name === 'productUser' ? `${productKey}User` : name}`).join('');
  if (isDocumentList(field)) return `${pathOfList(field)}${below}`;
  switch (field) {
    case 'limitsByHand':
      return `/limits${below}`;
    case 'override':
      return '/limits';
    case 'traffic':
      return '/traffic';
    case 'product':
      return `/${productKey}`;
    case 'parallelUse':
      return `/${productKey}Details/parallelUse`;
    case 'billingAccount':
    case 'singleSignOn':
      return undefined; // see `eventsOfField`
    default:
      return path;
  }
}

/** The types of the events that change a field of a difference, if the printed document does not have this field. */
export function eventsOfField(path: string): readonly OrganizationEvent['type'][] {
  if (path.startsWith('/billingAccount')) return ['BillingAccountLinked'];
  return path.startsWith('/singleSignOn') ? ['SingleSignOnConfigured', 'SingleSignOnRemoved'] : [];
}
