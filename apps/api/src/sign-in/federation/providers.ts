import { createRemoteJWKSet, customFetch as customKeyFetch, type JWTVerifyGetKey } from 'jose';
import * as openid from 'openid-client';
import { type Egress, REQUEST_MS } from './egress';

/** An OpenID provider, as it describes itself. */
export type Provider = Readonly<{
  issuer: string;
  authorizationEndpoint: string;
  tokenEndpoint: string;
  metadata: openid.ServerMetadata;
  /** Its public keys, fetched when they are needed and kept for a while. */
  keys: JWTVerifyGetKey;
  ask: Egress;
}>;

export type Providers = Readonly<{
  /** What is known about an issuer, not older than an hour. @throws when it cannot be discovered */
  at(issuer: string): Promise<Provider>;
  /** The same, asked anew. */
  tried(issuer: string): Promise<Provider>;
}>;

const KEPT_MS = 3_600_000;
const KEPT_MAX = 1_000;

/** Discovers providers (OpenID Connect Discovery 1.0), each once for all who wait for it. */
export function createProviders(ask: Egress, now: () => number): Providers {
  const known = new Map<string, { provider: Promise<Provider>; until: number }>();

  const tried = (issuer: string) => {
    const provider = discovered(issuer, ask);
    if (known.size >= KEPT_MAX) known.clear();
    const entry = { provider, until: now() + KEPT_MS };
    known.set(issuer, entry);
    provider.catch(() => known.get(issuer) === entry && known.delete(issuer)); // a failure is not remembered
    return provider;
  };
  return {
    tried,
    at: (issuer) => {
      const entry = known.get(issuer);
      return entry && entry.until > now() ? entry.provider : tried(issuer);
    },
  };
}

/** Whether plain http may be spoken is said by `Egress` alone. */
export const allowPlainHttp = (configuration: openid.Configuration): void => {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- it is marked so only to stand out
  openid.allowInsecureRequests(configuration);
};

async function discovered(issuer: string, ask: Egress): Promise<Provider> {
  const server = new URL(issuer);
  if (server.search || server.hash || server.href.includes('/.well-known/'))
    throw new Error('This is no name of an issuer.');
  const found = await openid.discovery(server, 'discovery', undefined, openid.None(), {
    [openid.customFetch]: fetchThroughEgress(ask),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the library looks for this very function
    execute: [openid.allowInsecureRequests], // whether it may is said by `ask`
    timeout: REQUEST_MS / 1_000,
  });
  const metadata = found.serverMetadata();
  // The library makes exceptions for some issuers that call themselves otherwise; nobody is excepted here.
  if (new URL(metadata.issuer).href !== server.href) throw new Error('The provider calls itself by another name.');
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

/** No endpoint speaks less safely than its issuer. */
function endpoint(address: string | undefined, issuer: URL): string {
  const url = URL.parse(address ?? '');
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && issuer.protocol === 'http:')))
    throw new Error('The provider names an endpoint that cannot be used.');
  return url.href;
}

/** How a library that fetches by itself is made to ask as we do. */
export const fetchThroughEgress =
  (ask: Egress): openid.CustomFetch =>
  (url, { method, headers, body }) => {
    if (body instanceof ReadableStream || body instanceof ArrayBuffer) throw new Error('Such bodies are not sent.');
    return ask(url, { method, headers, body });
  };
