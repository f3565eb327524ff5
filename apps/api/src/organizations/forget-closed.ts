import type { OrganizationCommand, OrganizationEvent } from '@charter/organization';
import { removeSsoSecret } from '../sign-in/sso-settings/sso-secret';
import type { Charter } from '@charter/application';

/**
 * What a closed organization no longer needs, and which may name people: what payment providers wrote of it, word for word,
 * and the secret of its identity provider (`acceptance.md` U10). Asked to close it once more, it is looked at again. What it
 * was entitled to, and why, stays readable; reopened, it configures single sign-on anew.
 */
export async function forgetClosed(
  runtime: Pick<Charter, 'documents'>,
  id: string,
  command: OrganizationCommand | readonly OrganizationCommand[],
  events: readonly OrganizationEvent[],
): Promise<void> {
  const asked = [command].flat().some(({ type }) => type === 'CloseOrganization');
  if (!asked || events.some(({ type }) => type === 'OrganizationReopened')) return;
  await removeSsoSecret(runtime, id);
  await runtime.documents.inbox.forget({ organization: id });
}
