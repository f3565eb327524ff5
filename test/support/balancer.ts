import { Agent, createServer, type IncomingHttpHeaders, request as ask, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A draining proxy as one stands in front of several processes: takes turns between those that say that they are ready, and
 * sends a request elsewhere when nobody takes it (refused, reset before an answer, 503). A caller whose requests carry an
 * `Idempotency-Key` loses nothing by that.
 */
export type Balancer = Readonly<{
  url: string;
  /** Puts a process into the place of another. */
  replace: (former: string, by: string) => void;
  close: () => Promise<void>;
}>;

export async function balancer(...urls: readonly string[]): Promise<Balancer> {
  const behind = new Map(urls.map((url) => [url, { isReady: true, agent: new Agent({ keepAlive: true }) }]));
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
  const pass = async (method: string, path: string, headers: IncomingHttpHeaders, body: Buffer) => {
    for (let time = 0; time < TRIES && !closing; time += 1) {
      const [url, { agent }] = next() ?? [undefined, { agent: undefined }];
      const answer =
        url === undefined ? undefined : await answered(url, method, path, headers, body, agent).catch(() => undefined);
      if (answer && answer.status !== 503) return answer;
      await pause(20);
    }
    return { status: 502, headers: {}, body: Buffer.from('nobody is there') };
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
    replace: (former, by) => {
      behind.get(former)?.agent.destroy();
      behind.delete(former);
      behind.set(by, { isReady: true, agent: new Agent({ keepAlive: true }) });
    },
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
