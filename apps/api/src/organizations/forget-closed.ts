import type { OrganizationCommand, OrganizationEvent } from '@charter/organization';
import { removeSsoSecret } from '../sign-in/sso-settings/sso-secret';
import type { Charter } from '@charter/application';

/**
 * Removes two kinds of data of a closed organization (`acceptance.md` U10): the texts of its billing messages, which
 * may contain names of persons, and the secret of its identity provider. A repeated `CloseOrganization` also removes
 * data that has arrived after the first `CloseOrganization`. Entitlements and their reasons can still be read. After
 * the organization is reopened, an owner must configure single sign-on again.
 */
export async function forgetClosed(
  runtime: Pick<Charter, 'database'>,
  id: string,
  command: OrganizationCommand | readonly OrganizationCommand[],
  events: readonly OrganizationEvent[],
): Promise<void> {
  const isClose = [command].flat().some(({ type }) => type === 'CloseOrganization');
  if (!isClose || events.some(({ type }) => type === 'OrganizationReopened')) return;
  await removeSsoSecret(runtime, id);
  await runtime.database.inbox.forget({ organization: id });
}
