import { once } from 'node:events';
import { createServer, request as requestOver, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A way in which a proxy breaks the streams of notices. It forwards every other request. */
export type Break = 'cut without FIN' | 'swallowed' | 'answered with 502' | 'halved';

/** An HTTP proxy that breaks streams of notices. */
export type BreakingProxy = Readonly<{ url: string; break: (how: Break) => void; close: () => void }>;

/** Starts a proxy in front of the server. At first the proxy forwards everything. */
export async function breakingProxy(server: string): Promise<BreakingProxy> {
  let broken: Break | undefined;
  const open = new Set<ServerResponse>();
  /** The streams that were open when they were cut. They stay open without a byte. */
  const cut = new Set<ServerResponse>();

  const forward = (stream: ServerResponse, chunk: Buffer) => {
    if (broken === 'swallowed' || cut.has(stream)) return;
    if (broken !== 'halved') stream.write(chunk);
    else stream.write(chunk.subarray(0, chunk.length / 2), () => stream.destroy());
  };
  const proxy = createServer((request, response) => {
    const isStream = request.url?.startsWith('/api/v1/entitlement-changes') === true;
    if (isStream && broken === 'answered with 502') {
      response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>Bad Gateway</html>');
      return;
    }
    const { method, headers } = request;
    const onward = requestOver(`${server}${request.url}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.on('error', () => response.destroy());
      if (!isStream) {
        answer.pipe(response);
        return;
      }
      open.add(response);
      response.flushHeaders();
      answer.on('data', (chunk: Buffer) => forward(response, chunk));
      answer.on('end', () => cut.has(response) || response.end());
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => {
      open.delete(response);
      onward.destroy();
    });
    request.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    break: (how) => {
      broken = how;
      if (how === 'cut without FIN') open.forEach((stream) => cut.add(stream));
      if (how === 'answered with 502') open.forEach((stream) => stream.destroy());
    },
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
