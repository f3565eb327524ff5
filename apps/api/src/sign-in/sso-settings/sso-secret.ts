import { sealSecret, unsealSecret } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { secureRandom, type Charter } from '@charter/application';
import { z } from 'zod';

/** An organization's own OpenID provider, with the client id and the client secret. */
export type SsoSecret = Readonly<z.infer<typeof SsoSecret>>;
const SsoSecret = z.object({
  organization: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});

type SsoSecretParts = Pick<Charter, 'database' | 'keyFor' | 'organizations'>;

const nameOf = (organization: string) => `sso:${organization}`;

/**
 * The provider and the secret that sign-ins use. The organization's stream names the provider. The encrypted secret
 * also names its provider, because Charter writes the event and the secret at different times, and one of the writes
 * can fail. Undefined if the stream and the secret name different providers, or if the organization is closed.
 */
export async function ssoSecretInForce(runtime: SsoSecretParts, organization: string): Promise<SsoSecret | undefined> {
  const present = await providerOf(runtime, organization);
  const known = present ? await storedSecretOf(runtime, organization) : undefined;
  const isForProvider =
    known?.organization === organization && known.issuer === present?.issuer && known.clientId === present.clientId;
  return isForProvider ? known : undefined;
}

/** The provider that the organization's stream names; undefined if there is none, or if the organization is closed. */
export const providerOf = (
  { organizations }: Pick<SsoSecretParts, 'organizations'>,
  organization: string,
): Promise<Readonly<{ issuer: string; clientId: string }> | undefined> =>
  organizations.query(organizationStream(organization), ({ state }) =>
    state.name === '' || state.closed ? undefined : (state.singleSignOn ?? undefined),
  );

async function storedSecretOf({ database, keyFor }: SsoSecretParts, organization: string) {
  const sealed = await database.people.secrets.get(nameOf(organization));
  const opened = sealed === undefined ? undefined : unsealSecret(keyFor('secrets'), sealed);
  return opened === undefined ? undefined : SsoSecret.parse(JSON.parse(opened));
}

/**
 * Stores the secret, unless the command has stored its secret before, or newer settings exist. A change of the secret
 * alone appends no event. A command that stores a secret therefore also stores a mark with the command's id. If the
 * mark exists, the command is a repetition. A removal keeps the marks; their number has no limit.
 * @param command the id of the command
 * @param isNewest whether the secret belongs to the newest settings
 */
export async function storeSsoSecret(
  { database, keyFor }: SsoSecretParts,
  secret: SsoSecret,
  { command, isNewest }: Readonly<{ command: string; isNewest: () => Promise<boolean> }>,
): Promise<void> {
  const { secrets } = database.people;
  const name = nameOf(secret.organization);
  const mark = `${name}:${command}`;
  const sealed = sealSecret(keyFor('secrets'), JSON.stringify(secret), secureRandom);
  for (;;) {
    const expected = await secrets.get(name);
    if ((await secrets.get(mark)) !== undefined || !(await isNewest())) return;
    if (await secrets.compareAndSet(name, { expected, sealed, mark })) return;
  }
}

/**
 * Removes the secret if it is out of date. Keeps a secret that another request stores meanwhile.
 * @param isOutdated whether the organization has no provider, or is closed
 */
export async function removeSsoSecret(
  { database }: Pick<SsoSecretParts, 'database'>,
  organization: string,
  isOutdated: () => Promise<boolean>,
): Promise<void> {
  const { secrets } = database.people;
  const expected = await secrets.get(nameOf(organization));
  if (expected !== undefined && (await isOutdated())) await secrets.remove(nameOf(organization), expected);
}
