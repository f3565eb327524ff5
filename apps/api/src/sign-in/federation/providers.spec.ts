import type { Egress } from './egress';
import { createProviders } from './providers';

// The library accepts issuers of Microsoft Entra that differ from the configured issuer. So only Charter's own rule
// refuses the tenants that many organizations or personal accounts share.

const TENANT = '2b0b7f2c-9188-4d5e-8c7e-6d8f4a0f3c11';
const PERSONAL = '9188040d-6c67-4c5b-b112-36a304b66dad';
const host = 'https://login.microsoftonline.com';
/** The issuers in Microsoft's discovery documents, by the name of the tenant in the address. */
const issuers: Readonly<Record<string, string>> = {
  [TENANT]: TENANT,
  common: '{tenantid}',
  organizations: '{tenantid}',
  consumers: PERSONAL,
  [PERSONAL]: PERSONAL,
  '%7Btenantid%7D': '{tenantid}',
};

/** Answers discovery requests as Microsoft does. */
const microsoft: Egress = (address) => {
  const [, name = ''] = new URL(address).pathname.split('/');
  const body = {
    issuer: `${host}/${issuers[name]}/v2.0`,
    authorization_endpoint: `${host}/${name}/oauth2/v2.0/authorize`,
    token_endpoint: `${host}/${name}/oauth2/v2.0/token`,
    jwks_uri: `${host}/${name}/discovery/v2.0/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
  return Promise.resolve(Response.json(body));
};

describe('Discovery of Microsoft Entra', () => {
  const providers = createProviders(microsoft, Date.now);

  it('accepts the issuer of one tenant', async () => {
    const issuer = `${host}/${TENANT}/v2.0`;
    expect(await providers.at(issuer)).toMatchObject({ issuer });
  });

  it.each(['common', 'organizations', 'consumers', '{tenantid}', PERSONAL])(
    'refuses the shared tenant %s',
    async (name) => {
      await expect(providers.at(`${host}/${name}/v2.0`)).rejects.toThrow(/^The issuer /);
    },
  );
});
