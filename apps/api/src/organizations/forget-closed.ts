import { type OrganizationCommand, organizationStream } from '@charter/organization';
import { removeSsoSecret } from '../sign-in/sso-settings/sso-secret';
import type { Charter } from '@charter/application';

/**
 * Removes two kinds of data of a closed organization (`acceptance.md` U10): the secret of the identity provider, and
 * the texts of billing messages. The texts of billing messages may contain names of persons. A repeated
 * `CloseOrganization` also removes data that has arrived after the first `CloseOrganization`. If the organization was
 * reopened meanwhile, removes nothing. Entitlements and their reasons can still be read. After the organization is
 * reopened, an owner must configure single sign-on again.
 */
export async function forgetClosed(
  runtime: Pick<Charter, 'database' | 'organizations'>,
  id: string,
  command: OrganizationCommand | readonly OrganizationCommand[],
): Promise<void> {
  if (![command].flat().some(({ type }) => type === 'CloseOrganization')) return;
  if (!(await runtime.organizations.query(organizationStream(id), ({ state }) => Boolean(state.closed)))) return;
  await removeSsoSecret(runtime, id);
  await runtime.database.inbox.forget({ organization: id });
}
