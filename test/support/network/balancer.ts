import { Agent, createServer, type IncomingHttpHeaders, request as ask, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A draining proxy as one stands in front of several processes: takes turns between those that say that they are ready, and
 * sends a request elsewhere when it was not taken (refused). A 503 may have happened, and so may a request whose connection
 * breaks: only what can be repeated (a read, or a request with an `Idempotency-Key`) goes elsewhere then.
 */
export type Balancer = Readonly<{
  url: string;
  add: (url: string) => void;
  remove: (url: string) => void;
  /** Why answers were lost, one for each. */
  lost: readonly string[];
  close: () => Promise<void>;
}>;

export async function balancer(...urls: readonly string[]): Promise<Balancer> {
  const behind = new Map(urls.map((url) => [url, { isReady: true, agent: new Agent({ keepAlive: true }) }]));
  const reasons: string[] = [];
  let turn = 0;
  let closing = false;

  const look = async (url: string, one: { isReady: boolean }) => {
    const status = await answered(url, 'GET', '/health/ready', {}, undefined, undefined).then(
      (answer) => answer.status,
      () => 0,
    );
    one.isReady = status === 200;
  };
  const looking = setInterval(() => behind.forEach((one, url) => void look(url, one)), LOOK_MS);
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
    return lost(`${method} ${path}: nobody took it`);
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
      clearInterval(looking);
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
    const asked = ask(
      { hostname, port, method, path, headers: without(headers, ofOneHop), agent, timeout: PATIENCE_MS },
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
    asked.on('timeout', () => asked.destroy(new Error('silent')));
    asked.on('error', reject);
    asked.end(body);
  });
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'cut';
/** It may have happened: nobody knows. */
const unknown: Passed = { status: 503, headers: { 'retry-after': '1' }, body: Buffer.from('The answer was lost.') };

function sendOn(response: ServerResponse, { status, headers, body }: Passed): void {
  response.writeHead(status, { ...without(headers, ofOneHop), 'content-length': body.length }).end(body);
}

const ofOneHop = ['connection', 'keep-alive', 'transfer-encoding'];
const without = (headers: IncomingHttpHeaders, names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

/** As often as proxies look in production, or rarer. */
const LOOK_MS = 500;
const PATIENCE_MS = 10_000;
const TRIES = 100;
