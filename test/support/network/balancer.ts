import { Agent, createServer, type IncomingHttpHeaders, request as ask, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A load balancer like those in production: it sends no new requests to a process that is not ready. The balancer uses
 * the ready processes in rotation, and sends a request whose connection was refused to another process. After a 503 or
 * a broken connection the request may have been executed. The balancer then repeats the request at another process only
 * if the request is a read or has an `Idempotency-Key`.
 */
export type Balancer = Readonly<{
  url: string;
  add: (url: string) => void;
  remove: (url: string) => void;
  /** The reason for each lost answer. */
  lost: readonly string[];
  close: () => Promise<void>;
}>;

export async function balancer(...urls: readonly string[]): Promise<Balancer> {
  const behind = new Map(urls.map((url) => [url, { isReady: true, agent: new Agent({ keepAlive: true }) }]));
  const reasons: string[] = [];
  let turn = 0;
  let closing = false;

  const checkHealth = async (url: string, one: { isReady: boolean }) => {
    const status = await answered(url, 'GET', '/health/ready', {}, undefined, undefined).then(
      (answer) => answer.status,
      () => 0,
    );
    one.isReady = status === 200;
  };
  const healthChecks = setInterval(() => behind.forEach((one, url) => void checkHealth(url, one)), CHECK_EVERY_MS);
  const next = () => {
    const able = [...behind].filter(([, { isReady }]) => isReady);
    return able.length === 0 ? undefined : able[turn++ % able.length]!;
  };
  const lost = (why: string): Passed => {
    reasons.push(why);
    return unknown;
  };
  const pass = async (method: string, path: string, headers: IncomingHttpHeaders, body: Buffer) => {
    const mayRepeat = method === 'GET' || headers['idempotency-key'] !== undefined;
    for (let time = 0; time < TRIES && !closing; time += 1) {
      const [url, one] = next() ?? [];
      const answer = url && (await answered(url, method, path, headers, body, one?.agent).catch(codeOf));
      if (typeof answer === 'object' && (answer.status !== 503 || !mayRepeat)) return answer;
      if (typeof answer === 'string' && answer !== 'ECONNREFUSED' && !mayRepeat)
        return lost(`${method} ${path}: ${answer}`);
      await pause(20);
    }
    return lost(`${method} ${path}: no process accepted it`);
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void pass(request.method!, request.url!, request.headers, Buffer.concat(chunks)).then((answer) =>
        sendOn(response, answer),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => void behind.set(url, { isReady: true, agent: new Agent({ keepAlive: true }) }),
    remove: (url) => {
      behind.get(url)?.agent.destroy();
      behind.delete(url);
    },
    lost: reasons,
    close: async () => {
      closing = true;
      clearInterval(healthChecks);
      behind.forEach(({ agent }) => agent.destroy());
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Passed = Readonly<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>;

function answered(
  url: string,
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
  body: Buffer | undefined,
  agent: Agent | undefined,
): Promise<Passed> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const forwarded = ask(
      { hostname, port, method, path, headers: without(headers, ofOneHop), agent, timeout: TIMEOUT_MS },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
        );
        response.on('error', reject);
        response.on('aborted', () => reject(new Error('cut')));
      },
    );
    forwarded.on('timeout', () => forwarded.destroy(new Error('silent')));
    forwarded.on('error', reject);
    forwarded.end(body);
  });
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'cut';
/** The answer that the balancer sends if it got none from a process. The process may have executed the request. */
const unknown: Passed = { status: 503, headers: { 'retry-after': '1' }, body: Buffer.from('The answer was lost.') };

function sendOn(response: ServerResponse, { status, headers, body }: Passed): void {
  response.writeHead(status, { ...without(headers, ofOneHop), 'content-length': body.length }).end(body);
}

const ofOneHop = ['connection', 'keep-alive', 'transfer-encoding'];
const without = (headers: IncomingHttpHeaders, names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/** The time between two health checks, in milliseconds. Proxies in production check at this interval or more often. */
const CHECK_EVERY_MS = 500;
const TIMEOUT_MS = 10_000;
const TRIES = 100;
