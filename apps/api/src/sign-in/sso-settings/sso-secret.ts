import { sealSecret, unsealSecret } from '@charter/identity';
import { organizationStream } from '@charter/organization';
import { secureRandom } from '@charter/application';
import { z } from 'zod';
import type { Runtime } from '../../process/runtime';

/** An organization's own provider, and how we prove to it who we are. */
export type SsoSecret = Readonly<z.infer<typeof SsoSecret>>;
const SsoSecret = z.strictObject({
  organization: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
});

type Kept = Pick<Runtime, 'documents' | 'keyFor' | 'organizations'>;

const nameOf = (organization: string) => `sso:${organization}`;

/**
 * What signing in goes by: the organization's own stream says which provider, the sealed secret says for which one it is.
 * They are written one after the other, so where they differ nobody is signed in. Nor is anybody into a closed organization.
 */
export async function ssoSecretInForce(runtime: Kept, organization: string): Promise<SsoSecret | undefined> {
  const present = await runtime.organizations.query(organizationStream(organization), ({ state }) =>
    state.name === '' || state.closed ? undefined : state.singleSignOn,
  );
  const sealed = present ? await runtime.documents.people.secrets.get(nameOf(organization)) : undefined;
  const opened = sealed === undefined ? undefined : unsealSecret(runtime.keyFor('secrets'), sealed);
  const known = opened === undefined ? undefined : SsoSecret.parse(JSON.parse(opened));
  const isOfIt =
    known?.organization === organization && known.issuer === present?.issuer && known.clientId === present.clientId;
  return isOfIt ? known : undefined;
}

export async function storeSsoSecret({ documents, keyFor }: Kept, secret: SsoSecret): Promise<void> {
  await documents.people.secrets.set(
    nameOf(secret.organization),
    sealSecret(keyFor('secrets'), JSON.stringify(secret), secureRandom),
  );
}

export const removeSsoSecret = ({ documents }: Pick<Kept, 'documents'>, organization: string): Promise<void> =>
  documents.people.secrets.remove(nameOf(organization));
