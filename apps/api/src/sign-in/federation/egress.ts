import { type IncomingMessage, request as plain, type RequestOptions } from 'node:http';
import { request as secure } from 'node:https';
import { isIP } from 'node:net';
import { errorWithCode } from './error-with-code';
import { isPublicAddress, lookupPublic } from './public-addresses';

/**
 * The time limit of a request to an OpenID provider in milliseconds. The limit is short, so that the callback answers
 * within the five seconds of `acceptance.md` G9.
 */
export const REQUEST_MS = 3_000;

/** The maximum size of an answer in bytes. A discovery document has about 5 KB, a set of public keys has less. */
const ANSWER_MAX = 256 * 1024;

type EgressRequest = Readonly<{
  method?: string | undefined;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: string | URLSearchParams | Uint8Array | null | undefined;
}>;

/**
 * Sends a request to a provider, with a time limit and a maximum size for the answer. Does not follow redirects.
 * @throws if the complete answer does not arrive in time
 */
export type Egress = (address: string | URL, outgoing?: EgressRequest) => Promise<Response>;

/**
 * Creates the egress.
 * @param reach `any-address` also allows internal addresses, for the provider in the settings and for installations on
 *   loopback
 */
export const egress =
  (reach: 'public' | 'any-address'): Egress =>
  async (address, { method = 'GET', headers, body } = {}) => {
    const url = new URL(address);
    refuseUnreachable(url, reach);
    const sent = body == null ? undefined : Buffer.from(body instanceof URLSearchParams ? body.toString() : body);
    const options: RequestOptions = {
      method,
      agent: false,
      headers: {
        ...Object.fromEntries(new Headers(headers)),
        'accept-encoding': 'identity',
        ...(sent && { 'content-length': sent.length }),
      },
      signal: AbortSignal.timeout(REQUEST_MS),
      ...(reach === 'public' && { lookup: lookupPublic }),
    };
    return new Promise((resolve, reject) => {
      const send = url.protocol === 'https:' ? secure : plain;
      const outgoing = send(url, options, (answer) => void whole(answer).then(resolve, reject));
      outgoing.on('error', reject);
      outgoing.end(sent);
    });
  };

/**
 * Refuses URLs that the egress must not open. Also checks numeric addresses, because Node does not call `lookup` for
 * them.
 */
function refuseUnreachable({ protocol, hostname, username, password }: URL, reach: 'public' | 'any-address'): void {
  if (protocol !== 'https:' && (protocol !== 'http:' || reach === 'public'))
    throw new Error('The address of a provider must use https.');
  if (username !== '' || password !== '')
    throw new Error('The address of a provider must contain no user or password.');
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (reach === 'public' && isIP(literal) > 0 && !isPublicAddress(literal))
    throw errorWithCode('INTERNAL_ADDRESS', 'Charter does not send requests to internal addresses.');
}

async function whole(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    // This exception ends the loop, and the end of the loop closes the connection.
    if (size > ANSWER_MAX) throw new Error('The answer of the provider is too large.');
    chunks.push(chunk);
  }
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) throw new Error('The provider answered with an invalid HTTP status.');
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, one]),
  );
  return new Response(bodiless.has(status) ? null : Buffer.concat(chunks), { status, headers });
}
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
