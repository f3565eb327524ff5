import { type IncomingMessage, request as plain, type RequestOptions } from 'node:http';
import { request as secure } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, lookupPublic } from './public-addresses';

/** One request may take this long; a whole flow ends before `acceptance.md` G9's five seconds. */
export const REQUEST_MS = 3_000;

/** No provider's answer is larger: a discovery document has 5 KB, a set of keys fewer. */
const ANSWER_MAX = 256 * 1024;

type EgressRequest = Readonly<{
  method?: string | undefined;
  headers?: ConstructorParameters<typeof Headers>[0];
  body?: string | URLSearchParams | Uint8Array | null | undefined;
}>;

/** Asks a provider: bounded in time and size, and follows no redirect. @throws when there is no whole answer in time */
export type Egress = (address: string | URL, outgoing?: EgressRequest) => Promise<Response>;

/** Whom may be asked: `anyone` is for providers that this deployment itself names, and for what runs on loopback alone. */
export const egress =
  (reach: 'public' | 'anyone'): Egress =>
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
      const ask = url.protocol === 'https:' ? secure : plain;
      const asked = ask(url, options, (answer) => void whole(answer).then(resolve, reject));
      asked.on('error', reject);
      asked.end(sent);
    });
  };

/** A literal address is never looked up, so it is judged here. */
function refuseUnreachable({ protocol, hostname, username, password }: URL, reach: 'public' | 'anyone'): void {
  if (protocol !== 'https:' && (protocol !== 'http:' || reach === 'public'))
    throw new Error('A provider is asked over https.');
  if (username !== '' || password !== '') throw new Error('The address of a provider names no user.');
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (reach === 'public' && isIP(literal) > 0 && !isPublicAddress(literal))
    throw new Error('The address is an internal one.');
}

async function whole(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > ANSWER_MAX) throw new Error('The answer of the provider is too large.'); // leaving the loop cuts the connection
    chunks.push(chunk);
  }
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599) throw new Error('The provider did not answer with HTTP as we know it.');
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map((one): [string, string] => [name, one]),
  );
  return new Response(bodiless.has(status) ? null : Buffer.concat(chunks), { status, headers });
}
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);
