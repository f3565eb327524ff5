import { type Allowed, row, table } from './permission-table';
import { everyRightRequest } from './right-requests';
import type { FullOrganization } from './full-organization';
import type { Route } from './routes';

const begin = /^(GET|POST) \/api\/v1\/organizations\/:id(\/|$)/;
const rights: readonly Allowed[] = [row.read, row.audit, 'owners, auditors and operators, and no key'];

/**
 * Every route that reads one organization or its history and changes nothing, from the permission table. Specs about
 * all these routes contain a new route as soon as the permission table has the route.
 */
export const readingRoutes: readonly Route[] = (Object.entries(table) as [Route, Allowed][])
  .filter(([route, allowed]) => begin.test(route) && rights.includes(allowed))
  .map(([route]) => route);

/** The reading routes that need the right to read the history of the organization. */
export const historyRoutes: readonly Route[] = readingRoutes.filter((route) => table[route] !== row.read);

/** A valid request to a route: the method, the path and the body. */
export function requestTo(route: Route, organization: FullOrganization) {
  return { method: route.split(' ')[0]!, ...everyRightRequest[route]!(organization) };
}
