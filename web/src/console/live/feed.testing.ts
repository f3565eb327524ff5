import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A connection to the change feed of a simulated service. */
type Connected = Readonly<{
  query: string;
  lastEventId: string | undefined;
  /** Sends an event, whose cursor is `cursor-REVISION`. */
  send: (revision: number) => void;
  end: () => void;
  isOpen: () => boolean;
}>;

/** Serves a change feed on a free port. If `refuse` returns a status, the connection is refused with this status. */
export async function serveFeed(refuse: (connection: number) => number | undefined = () => undefined) {
  const connections: Connected[] = [];
  let asked = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const status = refuse(asked++);
    if (status !== undefined) {
      response.writeHead(status, { 'Content-Type': 'application/problem+json' }).end('{}');
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 20\n\n');
    const lastEventId = request.headers['last-event-id'];
    connections.push({
      query: new URL(request.url ?? '', 'http://feed').search,
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
      send: (revision) =>
        void response.write(
          `id: cursor-${revision}\ndata: ${JSON.stringify({ revision, data: { name: 'a\nb' } })}\n\n`,
        ),
      end: () => void response.end(),
      isOpen: () => !response.destroyed && !response.writableEnded,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    connections,
    asked: () => asked,
    open: () => connections.filter(({ isOpen }) => isOpen()),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Resolves as soon as the condition holds. @throws after 5 seconds */
export async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 5_000; !holds();) {
    if (Date.now() > end) throw new Error(`This did not become true: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
