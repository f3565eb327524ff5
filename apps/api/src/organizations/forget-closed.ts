import type { OrganizationCommand, OrganizationEvent } from '@charter/organization';
import { removeSsoSecret } from '../sign-in/sso-settings/sso-secret';
import type { Charter } from '@charter/application';

/**
 * Removes two kinds of data of a closed organization (`acceptance.md` U10): the secret of the identity provider, and
 * the texts of billing messages. The texts of billing messages may contain names of persons. A repeated
 * `CloseOrganization` also removes data that has arrived after the first `CloseOrganization`. Entitlements and their
 * reasons can still be read. After the organization is reopened, an owner must configure single sign-on again.
 */
export async function forgetClosed(
  runtime: Pick<Charter, 'database'>,
  id: string,
  command: OrganizationCommand | readonly OrganizationCommand[],
  events: readonly OrganizationEvent[],
): Promise<void> {
  const isClose = [command].flat().some(({ type }) => type === 'CloseOrganization');
  const last = events.findLast(({ type }) => type === 'OrganizationClosed' || type === 'OrganizationReopened');
  if (!isClose || last?.type === 'OrganizationReopened') return;
  await removeSsoSecret(runtime, id);
  await runtime.database.inbox.forget({ organization: id });
}
