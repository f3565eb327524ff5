/**
 * The path of `GET …/changes` for a line of a difference, whose paths name the recorded state. Undefined for a field
 * that the printed document does not have.
 */
export function valuePathOf(path: string): string | undefined {
  const [field = '', ...rest] = path.split('/').slice(1);
  const below = rest.map((name) => `/${name}`).join('');
  switch (field) {
    case 'qualityAssurance':
    case 'webAnalytics':
      return `/${field}/domains${below}`;
    case 'limitsByHand':
      return `/limits${below}`;
    case 'override':
      return '/limits';
    case 'traffic':
      return '/traffic';
    case 'parallelUse':
    case 'product':
    case 'billingAccount':
    case 'singleSignOn':
      return undefined;
    default:
      return path;
  }
}
