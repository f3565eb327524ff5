import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { interactionPolicy, type Configuration } from 'oidc-provider';

interface GoogleAccount {
  sub: string;
  email: string;
  email_verified: boolean;
  name?: string;
  given_name?: string;
  family_name?: string;
  picture?: string;
  /** The Google Workspace domain of the account. */
  hd?: string;
}

export interface GoogleStandInOptions {
  clientId: string;
  clientSecret: string;
  /** The service's callback URLs, such as http://127.0.0.1:3000/auth/go/callback. */
  redirectUris: string[];
  accounts: GoogleAccount[];
  /**
   * Whether the ID token contains the e-mail address. The default is true, as with Google. Other providers put the
   * address only into the user info.
   */
  addressesInIdToken?: boolean;
  /** Default 0: any free port. */
  port?: number;
}

export interface GoogleStandIn {
  issuer: string;
  /** The three URLs of passport-google-oauth20 that a caller may replace. */
  addresses: { authorizationURL: string; tokenURL: string; userProfileURL: string };
  /** Selects the person who signs in from now on; `null` means that the person presses Cancel. */
  signInAs(email: string | null): void;
  close(): Promise<void>;
}

/**
 * A stand-in for Google's sign-in, made with oidc-provider. It uses the real authorization-code flow over HTTP, with
 * state and PKCE, but without pages for a person. passport-google-oauth20 needs three details. The profile URL must
 * end in /userinfo, because otherwise the strategy parses the answer as an old Google+ profile. This stand-in refuses
 * access tokens in the query string, so the service must send them in the header:
 * `strategy._oauth2.useAuthorizationHeaderforGET(true)`. The policy below also accepts `prompt=select_account`, a
 * value that only Google uses.
 */
export async function startGoogleStandIn(options: GoogleStandInOptions): Promise<GoogleStandIn> {
  const accounts = new Map(options.accounts.map((account) => [account.sub, account]));
  let signingIn: GoogleAccount | undefined = options.accounts[0];

  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async () => {};
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  // The issuer contains the port, so the provider is created after the server listens.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = quietly(() => new Provider(issuer, configuration(options, accounts)));
  const standard = provider.callback();

  handle = async (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      await standard(request, response);
      return;
    }
    const result = signingIn
      ? { login: { accountId: signingIn.sub }, select_account: {} }
      : { error: 'access_denied', error_description: 'The person pressed Cancel.' };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };

  return {
    issuer,
    addresses: {
      authorizationURL: `${issuer}/o/oauth2/v2/auth`,
      tokenURL: `${issuer}/token`,
      userProfileURL: `${issuer}/userinfo`,
    },
    signInAs: (email) => {
      signingIn = options.accounts.find((account) => account.email === email);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Suppresses the warning of oidc-provider that its keys and its store are for development only. */
function quietly<T>(make: () => T): T {
  const warn = console.warn;
  console.warn = () => {};
  try {
    return make();
  } finally {
    console.warn = warn;
  }
}

function configuration(options: GoogleStandInOptions, accounts: Map<string, GoogleAccount>): Configuration {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);

  return {
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret,
        redirect_uris: options.redirectUris,
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: {
      openid: ['sub', 'hd'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
    },
    conformIdTokenClaims: options.addressesInIdToken === false,
    cookies: { keys: ['stand-in'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, id) => {
      const account = accounts.get(id);
      return account && { accountId: id, claims: async () => ({ ...account }) };
    },
    interactions: { policy, url: (_context, interaction) => `/interaction/${interaction.uid}` },
    // The stand-in treats every person as having consented, so there is no consent page.
    loadExistingGrant: async (context) => {
      const { client, session, provider } = context.oidc;
      const grant = new provider.Grant({ clientId: client!.clientId, accountId: session!.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    pkce: { required: () => false },
    routes: { authorization: '/o/oauth2/v2/auth', jwks: '/certs', token: '/token', userinfo: '/userinfo' },
    ttl: { AccessToken: 3600, Grant: 3600, IdToken: 3600, Interaction: 600, Session: 3600 },
  };
}
