import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

/** A small OpenID provider for specs, over real HTTP and with real keys. Specs can put faults into its answers. */
export type OwnProvider = Readonly<{
  issuer: string;
  client: Readonly<{ id: string; secret: string }>;
  /** From now on the person with these claims signs in. `spoilt` puts faults into the ID token. */
  signsInAs: (claims: JWTPayload, spoilt?: Spoilt) => void;
  /** From now on this endpoint answers with this fault. */
  failsAt: (endpoint: Endpoint, fault: Fault) => void;
  /** The paths that were requested, in order. */
  requested: readonly string[];
  /** Removes every fault. */
  recovers: () => void;
  /** An authorization code that the provider issued to another client. */
  foreignCode: () => string;
  close: () => Promise<void>;
}>;

type Endpoint = 'discovery' | 'authorize' | 'token' | 'keys' | 'userinfo';
export type Fault = (response: ServerResponse) => void;

/** The faults of an ID token. `claims` override the right claims; null removes a claim. */
export type Spoilt = Readonly<{
  algorithm?: 'none' | 'HS256 with the public key';
  key?: 'unknown' | 'of another provider';
  claims?: Readonly<Record<string, unknown>>;
}>;

/** How a product differs from the plain provider. */
export type ProviderForm = Readonly<{
  /** The path of the issuer, for example `/realms/acme`. */
  path?: string;
  metadata?: Readonly<Record<string, unknown>>;
  /** Whether the authorization response contains `iss` (RFC 9207). */
  namesIssuer?: boolean;
  /** The members of each public key beside those of RSA itself. */
  keyFields?: Readonly<Record<string, unknown>>;
  /** Further public keys, for example for encryption. */
  moreKeys?: readonly object[];
  /** The names of the claims that only the user info contains. Without this list, the provider has no user info. */
  onlyInUserInfo?: readonly string[];
}>;

type Code = Readonly<{ client: string; nonce: string | null; challenge: string | null; redirect: string | null }>;

export async function startOwnProvider(form: ProviderForm = {}): Promise<OwnProvider> {
  const { path = '', namesIssuer = true, keyFields = { alg: 'RS256' }, moreKeys = [], onlyInUserInfo } = form;
  const mine = await generateKeyPair('RS256', { extractable: true });
  const foreign = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(mine.publicKey)), kid: 'k-1', use: 'sig', ...keyFields };
  const client = { id: 'charter', secret: 'the-secret-of-the-client' };
  const codes = new Map<string, Code>();
  const faults = new Map<Endpoint, Fault>();
  const requested: string[] = [];
  let next: { claims: JWTPayload; spoilt: Spoilt } = { claims: {}, spoilt: {} };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, issuer);
    requested.push(url.pathname);
    const endpoint = url.pathname.startsWith(`${path}/`) ? endpoints[url.pathname.slice(path.length)] : undefined;
    if (!endpoint) {
      response.writeHead(404).end();
      return;
    }
    const fault = faults.get(endpoint);
    if (fault) fault(response);
    else if (endpoint === 'discovery')
      json(response, 200, {
        ...metadata(issuer),
        ...(onlyInUserInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
        ...form.metadata,
      });
    else if (endpoint === 'keys') json(response, 200, { keys: [...moreKeys, jwk] });
    else if (endpoint === 'userinfo') json(response, 200, next.claims);
    else if (endpoint === 'authorize') authorize(url.searchParams, response);
    else await token(new URLSearchParams(await bodyOf(request)), request, response);
  }

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    const back = new URL(query.get('redirect_uri')!);
    const code = codeFor(query.get('client_id')!, query);
    for (const [name, value] of [
      ['code', code],
      ['state', query.get('state') ?? ''],
      ['iss', namesIssuer ? issuer : ''],
    ] as const)
      if (value !== '') back.searchParams.set(name, value);
    response.writeHead(302, { location: back.href }).end();
  }

  function codeFor(owner: string, query: URLSearchParams): string {
    const code = randomUUID();
    const [nonce, challenge, redirect] = [query.get('nonce'), query.get('code_challenge'), query.get('redirect_uri')];
    codes.set(code, { client: owner, nonce, challenge, redirect });
    return code;
  }

  async function token(form: URLSearchParams, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const basic = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64')
      .toString()
      .split(':')
      .map((part) => decodeURIComponent(part.replaceAll('+', ' '))); // RFC 6749, 2.3.1
    const [id, secret] = headers.authorization ? basic : [form.get('client_id'), form.get('client_secret')];
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (id !== client.id || secret !== client.secret) json(response, 401, { error: 'invalid_client' });
    else if (code?.client !== id || code.challenge !== challenge || code.redirect !== form.get('redirect_uri'))
      json(response, 400, { error: 'invalid_grant', error_description: 'The code is of no use.' });
    else {
      const tokens = { access_token: randomUUID(), token_type: 'Bearer', expires_in: 3600 };
      json(response, 200, { ...tokens, id_token: await idToken(code.nonce) });
    }
  }

  async function idToken(nonce: string | null): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const { claims, spoilt } = next;
    const payload = Object.fromEntries(
      Object.entries({
        ...{ iss: issuer, aud: client.id, iat: now, exp: now + 3600, nonce },
        ...claims,
        ...spoilt.claims,
      }).filter(([name, value]) => value !== null && !onlyInUserInfo?.includes(name)),
    );
    if (spoilt.algorithm === 'none') return new UnsecuredJWT(payload).encode();
    if (spoilt.algorithm !== undefined) {
      const secret = new TextEncoder().encode(JSON.stringify(jwk));
      return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: 'k-1' }).sign(secret);
    }
    const kid = spoilt.key === 'unknown' ? 'k-2' : 'k-1';
    const key = spoilt.key === undefined ? mine.privateKey : foreign.privateKey;
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key);
  }

  const close = async () => {
    opened.delete(close);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  opened.add(close);
  return {
    issuer,
    client,
    requested,
    signsInAs: (claims, spoilt = {}) => {
      next = { claims, spoilt };
    },
    failsAt: (endpoint, fault) => {
      faults.set(endpoint, fault);
    },
    recovers: () => {
      faults.clear();
    },
    foreignCode: () => codeFor('another-client', new URLSearchParams()),
    close,
  };
}

/**
 * The providers that are still open. The helper closes these providers after the specs of the file, so that Jest can
 * end even if a spec fails.
 */
const opened = new Set<() => Promise<void>>();
afterAll(() => Promise.all([...opened].map((close) => close())));

const endpoints: Readonly<Record<string, Endpoint>> = {
  '/.well-known/openid-configuration': 'discovery',
  '/authorize': 'authorize',
  '/token': 'token',
  '/keys': 'keys',
  '/userinfo': 'userinfo',
};

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
  code_challenge_methods_supported: ['S256'],
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};
