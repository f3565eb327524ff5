import { once } from 'node:events';
import { createServer, request as requestOver, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault of the streams of notices. The proxy forwards every other request. */
export type StreamFault = 'no FIN' | 'no bytes' | 'answer 502' | 'end inside a chunk';

/** An HTTP proxy that can break the streams of notices. */
export type BreakingProxy = Readonly<{ url: string; break: (fault: StreamFault) => void; close: () => void }>;

/** Starts a proxy in front of the server. At first the proxy forwards everything. */
export async function breakingProxy(server: string): Promise<BreakingProxy> {
  let broken: StreamFault | undefined;
  const open = new Set<ServerResponse>();
  /** The streams that were open at the fault `no FIN`. They stay open, and get no further byte. */
  const cut = new Set<ServerResponse>();

  const forward = (stream: ServerResponse, chunk: Buffer) => {
    if (broken === 'no bytes' || cut.has(stream)) return;
    if (broken !== 'end inside a chunk') stream.write(chunk);
    else stream.write(chunk.subarray(0, chunk.length / 2), () => stream.destroy());
  };
  const proxy = createServer((request, response) => {
    const isStream = request.url?.startsWith('/api/v1/entitlement-changes') === true;
    if (isStream && broken === 'answer 502') {
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
    break: (fault) => {
      broken = fault;
      if (fault === 'no FIN') open.forEach((stream) => cut.add(stream));
      if (fault === 'answer 502') open.forEach((stream) => stream.destroy());
    },
    close: () => {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
