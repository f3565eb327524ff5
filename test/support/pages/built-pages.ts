import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const built = join(__dirname, '../../../dist/web');

type Manifest = Readonly<{
  languages: readonly string[];
  pages: Readonly<Record<string, string>>;
  styles: Readonly<Record<string, readonly string[]>>;
  files: Readonly<Record<string, { type: string; br?: string; gz?: string }>>;
}>;

/** The manifest that the build writes for the server (`web/README.md`). @throws when the pages are not built */
export function builtManifest(): Manifest {
  const file = join(built, 'manifest.json');
  if (!existsSync(file)) throw new Error('The pages are not built: run `npm run build` first.');
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

export const builtFile = (path: string): Buffer => readFileSync(join(built, path));

/** The answer to one request; `cut` closes the connection, like a network failure. */
export type Answer =
  | Readonly<{
      status: number;
      body?: unknown;
      /** Lines of JSON, in place of a body. */
      lines?: readonly object[];
      /** Bytes that the server sends unchanged, in place of a body. */
      text?: Buffer;
      /** Sends this text, in place of a body, and does not end the answer. */
      begun?: string;
      headers?: Record<string, string>;
      delayMs?: number;
    }>
  | 'cut';
export type Called = Readonly<{ method: string; path: string; body: unknown; xsrf: string | undefined }>;
export type PagesWish = Readonly<{
  facts?: Readonly<Record<string, string>>;
  signedIn?: boolean;
  answer?: (called: Called) => Answer;
  /** While this function returns true, the server sends only the scripts `early-…` and `theme-…`. */
  withoutScripts?: () => boolean;
}>;
export type PagesServed = Readonly<{
  url: string;
  called: readonly Called[];
  /** From now on, the server answers according to these options. */
  become: (options: PagesWish) => void;
  close: () => Promise<void>;
}>;

/**
 * Serves the built pages on a free port. The server fills in the pages as Charter does, and sends the same
 * Content-Security-Policy.
 */
export async function servePages(first: PagesWish = {}): Promise<PagesServed> {
  let options = first;
  const manifest = builtManifest();
  const called: Called[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://pages');
    const file = manifest.files[url.pathname];
    if (file) {
      sendFile(url.pathname, file.type, response, options);
      return;
    }
    if (request.method === 'GET' && !/^\/(api|auth|dev)\//.test(url.pathname)) {
      sendPage(url, request, response, manifest, options);
      return;
    }
    void bodyOf(request).then((body) => {
      const xsrf = request.headers['x-xsrf-token'];
      const one = { method: request.method ?? '', path: url.pathname + url.search, body, xsrf: xsrf?.toString() };
      called.push(one);
      sendAnswer(options.answer?.(one) ?? { status: 204 }, request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    called,
    become: (next) => {
      options = next;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The name of the built document for an address, as in the table of `web/README.md`. */
function pageOf(url: URL, language: string, signedIn: boolean): string {
  if (url.pathname === '/forgot') return `forgot.${language}`;
  if (url.pathname === '/verify') return `verify.${language}`;
  if (/^\/reset(\/|$)/.test(url.pathname)) return `reset.${language}`;
  if (/^\/invitation(\/|$)/.test(url.pathname)) return `invitation.${language}`;
  if (/^\/email\/confirm(\/|$)/.test(url.pathname)) return `confirm.${language}`;
  if (signedIn && !/^\/login(\/|$)/.test(url.pathname)) return `console.${language}`;
  const error = url.searchParams.get('error') ?? '';
  const known = ['google', 'sso', 'account'].includes(error) ? [error] : [];
  const limit = error === 'account' && url.searchParams.get('reason') === 'limit-exceeded' ? ['limit'] : [];
  const migrated = url.search.includes('from_rns') ? ['migrated'] : [];
  return ['login', ...known, ...limit, ...migrated, language].join('.');
}

const filled = (document: string, facts: Readonly<Record<string, string>>): string =>
  document.replaceAll(/\{\{([a-z-]+)\}\}/g, (_, name: string) => escaped(facts[name] ?? ''));

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${String(character.codePointAt(0))};`);

const policyOf = (hashes: readonly string[]): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${hashes.map((hash) => `'${hash}'`).join(' ')}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');

function sendPage(
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
  manifest: Manifest,
  options: PagesWish,
) {
  const language = /charter-language=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'en';
  const name = pageOf(url, language, options.signedIn ?? false);
  const facts = { product: 'Pulse', 'product-key': 'pulse', release: 'test', ...options.facts };
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policyOf(manifest.styles[name] ?? []),
    'Referrer-Policy': 'no-referrer',
    'Set-Cookie': 'XSRF-TOKEN=a-token; Path=/; SameSite=Lax',
  });
  response.end(filled(builtFile(manifest.pages[name] ?? '').toString(), facts));
}

function sendFile(path: string, type: string, response: ServerResponse, options: PagesWish) {
  if (options.withoutScripts?.() && path.endsWith('.js') && !/\/(early|theme)-/.test(path)) return; // never answered
  response.writeHead(200, { 'Content-Type': type });
  response.end(builtFile(path));
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

function sendAnswer(answer: Answer, request: IncomingMessage, response: ServerResponse) {
  if (answer === 'cut') {
    request.socket.destroy();
    return;
  }
  const { status, body, lines, text, begun, headers = {}, delayMs = 0 } = answer;
  const send = () => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    if (begun !== undefined) response.write(begun);
    else if (text !== undefined) response.end(text);
    else if (lines) response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    else response.end(body === undefined ? undefined : JSON.stringify(body));
  };
  if (delayMs > 0) setTimeout(send, delayMs).unref();
  else send();
}
