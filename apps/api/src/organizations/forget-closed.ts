import { type OrganizationCommand, organizationStream } from '@charter/organization';
import { removeSsoSecret } from '../sign-in/sso-settings/sso-secret';
import type { Charter } from '@charter/application';

type Stores = Pick<Charter, 'database' | 'organizations'>;
type Commands = OrganizationCommand | readonly OrganizationCommand[];

/**
 * Removes two kinds of data of a closed organization (`acceptance.md` U10): the secret of the identity provider, and
 * the texts of billing messages. The texts of billing messages may contain names of persons. A repeated
 * `CloseOrganization` also removes data that has arrived after the first `CloseOrganization`. If the organization was
 * reopened meanwhile, removes nothing. Entitlements and their reasons can still be read. After the organization is
 * reopened, an owner must configure single sign-on again.
 */
export async function forgetClosed(runtime: Stores, id: string, commands: Commands): Promise<void> {
  if (!contains(commands, 'CloseOrganization') || !(await closingOf(runtime, id))) return;
  await removeSsoSecretIfClosed(runtime, id);
  await runtime.database.inbox.forget({ organization: id });
}

/**
 * If the organization is closed, removes the data that `forgetClosed` removes at the closing. A process may have
 * crashed before `forgetClosed`, and a restore of older tables brings the data back. Keeps the texts of messages that
 * arrived after the closing.
 */
export async function finishClosing(runtime: Stores, id: string): Promise<void> {
  const closed = await closingOf(runtime, id);
  if (!closed) return;
  await removeSsoSecretIfClosed(runtime, id);
  await runtime.database.inbox.forget({ organization: id, receivedUntil: closed.at });
}

const removeSsoSecretIfClosed = (runtime: Stores, id: string) =>
  removeSsoSecret(runtime, id, async () => (await closingOf(runtime, id)) !== null);

const contains = (commands: Commands, type: OrganizationCommand['type']) =>
  [commands].flat().some((command) => command.type === type);

/** The closing of a closed organization; null if the organization is open. */
const closingOf = ({ organizations }: Stores, id: string) =>
  organizations.query(organizationStream(id), ({ state }) => state.closed);
