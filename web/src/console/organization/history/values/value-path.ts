import type { OrganizationEvent } from '@charter/client';
import { isDocumentList, pathOfList } from '../../../document-lists';

/**
 * Converts the path of a line in a difference to a path for `GET …/changes`. Lines have paths in the recorded state;
 * `GET …/changes` needs a path in the document that the API returns. Undefined if that document does not have the
 * field.
 * @param productKey the product key of the second product line; the document's field names for this product begin with
 * it
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
    case 'emailDomains':
      return undefined; // see `eventsOfField`
    default:
      return path;
  }
}

/** The types of the events that change a field, if the document that the API returns does not have this field. */
export function eventsOfField(path: string): readonly OrganizationEvent['type'][] {
  if (path.startsWith('/billingAccount')) return ['BillingAccountLinked'];
  if (path.startsWith('/emailDomains'))
    return [
      ...(['EmailDomainClaimed', 'EmailDomainProven', 'EmailDomainLost'] as const),
      ...(['EmailDomainReleased', 'EmailDomainSettingsChanged'] as const),
    ];
  return path.startsWith('/singleSignOn') ? ['SingleSignOnConfigured', 'SingleSignOnRemoved'] : [];
}
