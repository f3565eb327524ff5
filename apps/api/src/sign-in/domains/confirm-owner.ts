import type { Charter } from '@charter/application';
import { domainOwners } from '@charter/organization';
import { provePassword, signedInPerson } from '../../account/account';
import type { OrganizationCall } from '../../http/request-context';
import { requireRole } from '../../organizations/require-role';
import type { Background } from '../../process/parts/background';
import type { Clock } from '../../process/parts/clock';

/** A request that the caller confirms with the password of the account. */
export type ConfirmedCall = Pick<OrganizationCall, 'context' | 'request'> & Readonly<{ password: string }>;

/**
 * Checks the caller's role and then the password, so that a stranger learns nothing about the organization. A session
 * from the organization's own provider is accepted too, because an owner whose account is managed has no other session.
 * @throws Refused 403, 404; ProblemError 403 `wrong-password`, 429, 503
 */
export async function confirmOwner(
  runtime: Pick<Charter, 'settings' | 'database' | 'passwords' | 'organizations'> &
    Clock &
    Pick<Background, 'deferred'>,
  id: string,
  { context, request, password }: ConfirmedCall,
): Promise<void> {
  await requireRole(runtime, id, context.actor, domainOwners);
  await provePassword(runtime, request, signedInPerson(request.charter, 'read').account, password);
}
