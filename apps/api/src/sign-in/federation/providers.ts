import { createRemoteJWKSet, customFetch as customKeyFetch, type JWTVerifyGetKey } from 'jose';
import * as openid from 'openid-client';
import { type Egress, REQUEST_MS } from './egress';
import { errorWithCode } from './error-with-code';

/** An OpenID provider, as its discovery document describes it. */
export type Provider = Readonly<{
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  metadata: openid.ServerMetadata;
  /** The provider's public keys, which are fetched when they are needed, and cached. */
  keys: JWTVerifyGetKey;
  ask: Egress;
}>;

export type Providers = Readonly<{
  /** The provider of an issuer, cached for up to an hour. @throws if discovery fails */
  at(issuer: string): Promise<Provider>;
  /** The provider of an issuer, read anew. A failure leaves a cached provider in place. @throws if discovery fails */
  tried(issuer: string): Promise<Provider>;
}>;

const CACHE_MS = 3_600_000;
const CACHE_MAX = 1_000;

/**
 * Discovers providers (OpenID Connect Discovery 1.0). Simultaneous callers of `at` share one request.
 * @param observe called with each request for a discovery document, but not with an answer from the cache
 */
export function createProviders(
  ask: Egress,
  now: () => number,
  observe: (discovery: Promise<Provider>) => void = () => undefined,
): Providers {
  const known = new Map<string, { provider: Promise<Provider>; until: number }>();
  const cached = (issuer: string) => {
    const entry = known.get(issuer);
    return entry && entry.until > now() ? entry.provider : undefined;
  };

  const tried = (issuer: string) => {
    const provider = discovered(issuer, ask);
    observe(provider);
    const entry = { provider, until: now() + CACHE_MS };
    const remember = () => {
      if (known.size >= CACHE_MAX) known.clear();
      known.set(issuer, entry);
    };
    if (cached(issuer)) {
      provider.then(remember, () => undefined);
    } else {
      remember();
      provider.catch(() => known.get(issuer) === entry && known.delete(issuer)); // a failure is not cached
    }
    return provider;
  };
  return { tried, at: (issuer) => cached(issuer) ?? tried(issuer) };
}

/** Makes the OpenID library accept http addresses. Only `Egress` decides whether http is allowed. */
export const allowPlainHttp = (configuration: openid.Configuration): void => {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- deprecated only as a warning to readers
  openid.allowInsecureRequests(configuration);
};

async function discovered(issuer: string, ask: Egress): Promise<Provider> {
  const server = new URL(issuer);
  if (server.search || server.hash || server.href.includes('/.well-known/'))
    throw new Error('An issuer must be a URL without query, fragment or /.well-known/ path.');
  const found = await openid.discovery(server, 'discovery', undefined, openid.None(), {
    [openid.customFetch]: fetchThroughEgress(ask),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the library compares with this function
    execute: [openid.allowInsecureRequests], // only `ask` decides whether http is allowed
    timeout: REQUEST_MS / 1_000,
  });
  const metadata = found.serverMetadata();
  // For some providers the library accepts an issuer that is not the configured issuer. Charter accepts only the
  // configured issuer.
  if (new URL(metadata.issuer).href !== server.href)
    throw errorWithCode('OTHER_ISSUER', 'The issuer in the discovery document is not the configured issuer.');
  if (sharedTenants.some((tenant) => metadata.issuer.includes(tenant)))
    throw errorWithCode(
      'SHARED_TENANT',
      'The issuer belongs to no single tenant of Microsoft Entra. Use the issuer of your own tenant.',
    );
  const keys = createRemoteJWKSet(new URL(endpoint(metadata.jwks_uri, server)), {
    timeoutDuration: REQUEST_MS,
    [customKeyFetch]: (url, { headers }) => ask(url, { headers }),
  });
  return {
    issuer: metadata.issuer,
    authorizationEndpoint: endpoint(metadata.authorization_endpoint, server),
    tokenEndpoint: endpoint(metadata.token_endpoint, server),
    metadata,
    keys,
    ask,
  };
}

/**
 * Microsoft Entra's template for the issuers of all tenants, and its tenant for personal accounts. Any person can have
 * an account in them, so a proven domain must not replace `email_verified`.
 */
const sharedTenants = ['{tenantid}', '9188040d-6c67-4c5b-b112-36a304b66dad'];

/** The endpoint of an https issuer must use https too. */
function endpoint(address: string | undefined, issuer: URL): string {
  const url = URL.parse(address ?? '');
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && issuer.protocol === 'http:')))
    throw new Error('An endpoint in the discovery document is missing, or does not use https.');
  return url.href;
}

/** Makes the OpenID library send its requests through `Egress`. */
export const fetchThroughEgress =
  (ask: Egress): openid.CustomFetch =>
  (url, { method, headers, body }) => {
    if (body instanceof ReadableStream || body instanceof ArrayBuffer)
      throw new Error('Bodies that are streams or buffers are not supported.');
    return ask(url, { method, headers, body });
  };
