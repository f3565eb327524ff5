import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Charter } from '@charter/application';
import { isOnLoopback, type Settings } from '@charter/settings';
import { z } from 'zod';
import { callbackOf } from '../../sign-in/federation/federation';
import type { Egress } from '../../sign-in/federation/egress';
import type { DemoPerson } from '../demo-people';
import { type StandInAccount, standInAccounts } from './stand-in-accounts';
import { createStandInCodes, type StandInCodes } from './stand-in-codes';
import { createIdTokenSigner, ID_TOKEN_SECONDS, type IdTokenSigner } from './stand-in-id-tokens';

/** A request for authorization (RFC 6749, 4.1.1, with PKCE and the nonce of OpenID Connect). */
export type AuthorizationRequest = z.infer<typeof AuthorizationRequest>;
const AuthorizationRequest = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  response_type: z.literal('code'),
  scope: z.string().refine((scope) => scope.split(' ').includes('openid')),
  state: z.string().min(1).max(1_000),
  nonce: z.string().min(1).max(1_000),
  code_challenge: z.string().regex(/^[\w-]{43}$/),
  code_challenge_method: z.literal('S256'),
});

/**
 * The demo's stand-in for Google: an OpenID provider whose accounts are the people of the demo. Only its page is
 * reachable over HTTP. The server's own requests stay in the process, so nothing on the network can request a token.
 * The stand-in keeps no state in memory, so each process of an installation accepts the codes of the others.
 */
export type GoogleStandIn = Readonly<{
  /** The address of the page. */
  issuer: () => string;
  client: Client;
  accounts: () => Promise<readonly StandInAccount[]>;
  /** Reads a request. Undefined if the request is malformed, or names another client or another callback. */
  readRequest: (query: unknown) => AuthorizationRequest | undefined;
  /** The address to which the browser returns with a code. Undefined if the stand-in has no such account. */
  allow: (request: AuthorizationRequest, account: string) => Promise<string | undefined>;
  /** The address to which the browser returns after _Cancel_. */
  cancel: (request: AuthorizationRequest) => string;
  /** Answers the server's requests for the discovery document, the public key and the tokens. */
  ask: Egress;
}>;
type Client = Readonly<{ id: string; secret: string }>;

/**
 * Whether the stand-in replaces Google: only in a demo that is on, only if all traffic stays on this machine, and never
 * if the settings name a client at Google.
 */
export const usesGoogleStandIn = (settings: Settings, isDemo: boolean): boolean =>
  isDemo && settings.demo !== 'off' && isOnLoopback(settings) && settings.google === undefined;

/** The settings with the stand-in in place of Google. The issuer follows the public address, which can still change. */
export const withGoogleStandIn = (settings: Settings, { issuer, client }: GoogleStandIn): Settings =>
  Object.defineProperties({} as Settings, {
    ...Object.getOwnPropertyDescriptors(settings),
    google: {
      enumerable: true,
      get: () => ({ clientId: client.id, clientSecret: client.secret, issuer: issuer() }),
    },
  });

export function createGoogleStandIn(
  charter: Pick<Charter, 'settings' | 'database' | 'keyFor'>,
  people: readonly DemoPerson[],
  now: () => number,
): GoogleStandIn {
  const { settings, database } = charter;
  const secret = (use: string) => createHmac('sha256', charter.keyFor('demo')).update(`google ${use}`).digest();
  const client = { id: 'charter-demo', secret: secret('client').toString('hex') };
  const issuer = () => `${settings.publicUrl}/dev/google`;
  const accounts = () => standInAccounts(charter, people);
  const codes = createStandInCodes(database, secret('code'), issuer, now);
  const idTokens = createIdTokenSigner(secret('id token'), { issuer, client: client.id, now });

  const back = ({ redirect_uri, state }: AuthorizationRequest, answer: Readonly<Record<string, string>>) => {
    const parameters = new URLSearchParams({ ...answer, state, iss: issuer() });
    return `${redirect_uri}?${parameters.toString()}`;
  };
  return {
    issuer,
    client,
    accounts,
    readRequest: (query) => {
      const { data } = AuthorizationRequest.safeParse(query);
      return data?.client_id === client.id && data.redirect_uri === callbackOf({ settings }, 'go') ? data : undefined;
    },
    allow: async (request, account) => {
      if (!(await accounts()).some(({ id }) => id === account)) return undefined;
      const { nonce, code_challenge: challenge, redirect_uri: redirect } = request;
      return back(request, { code: await codes.issue({ sub: account, nonce, challenge, redirect }) });
    },
    cancel: (request) => back(request, { error: 'access_denied' }),
    ask: async (address, { body } = {}) => {
      const path = new URL(address).href.slice(issuer().length);
      if (path === '/.well-known/openid-configuration') return Response.json(metadata(issuer()));
      if (path === '/certs') return Response.json({ keys: [idTokens.publicKey] });
      if (path === '/token' && body instanceof URLSearchParams)
        return exchange(body, { client, codes, idTokens, accounts });
      return refusal(404, 'not_found');
    },
  };
}

/** Exchanges a code for tokens (RFC 6749, 4.1.3; RFC 7636, 4.6). */
async function exchange(
  form: URLSearchParams,
  {
    client,
    codes,
    idTokens,
    accounts,
  }: Pick<GoogleStandIn, 'accounts'> & Readonly<{ client: Client; codes: StandInCodes; idTokens: IdTokenSigner }>,
): Promise<Response> {
  const given = (name: string) => form.get(name) ?? '';
  if (given('client_id') !== client.id || !isSame(given('client_secret'), client.secret))
    return refusal(401, 'invalid_client');
  if (given('grant_type') !== 'authorization_code') return refusal(400, 'unsupported_grant_type');
  const code = await codes.redeem(given('code'));
  const challenge = createHash('sha256').update(given('code_verifier')).digest('base64url');
  const account = code && (await accounts()).find(({ id }) => id === code.sub);
  if (!account || code.challenge !== challenge || code.redirect !== given('redirect_uri'))
    return refusal(400, 'invalid_grant');
  return Response.json({
    ...{ access_token: randomUUID(), token_type: 'Bearer', expires_in: ID_TOKEN_SECONDS },
    id_token: await idTokens.sign(account, code.nonce),
  });
}

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: issuer,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/certs`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['ES256'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

const refusal = (status: number, error: string) => Response.json({ error }, { status });

const isSame = (one: string, other: string) => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
};
