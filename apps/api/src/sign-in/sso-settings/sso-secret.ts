import { sealSecret, unsealSecret } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { secureRandom, type Charter } from '@charter/application';
import { z } from 'zod';
/** An organization's own OpenID provider, with the client id and the client secret. */
export type SsoSecret = Readonly<z.infer<typeof SsoSecret>>;
const SsoSecret = z.strictObject({
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
  const sealed = present ? await runtime.database.people.secrets.get(nameOf(organization)) : undefined;
  const opened = sealed === undefined ? undefined : unsealSecret(runtime.keyFor('secrets'), sealed);
  const known = opened === undefined ? undefined : SsoSecret.parse(JSON.parse(opened));
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

export async function storeSsoSecret({ database, keyFor }: SsoSecretParts, secret: SsoSecret): Promise<void> {
  await database.people.secrets.set(
    nameOf(secret.organization),
    sealSecret(keyFor('secrets'), JSON.stringify(secret), secureRandom),
  );
}

export const removeSsoSecret = ({ database }: Pick<SsoSecretParts, 'database'>, organization: string): Promise<void> =>
  database.people.secrets.remove(nameOf(organization));
