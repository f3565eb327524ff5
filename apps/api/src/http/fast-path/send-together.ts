import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

let unsent: (() => void)[] = [];

/**
 * Answers a request when the present tick of the event loop ends, together with all other answers of the tick. From the
 * call on, `response.headersSent` is true. If a process writes its answers one directly after the other, the kernel
 * wakes the process of the client less often (`docs/adr/0006-nest-on-express-with-a-fast-path.md`).
 * @throws TypeError if the status or a header is not valid
 */
export function sendTogether(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body?: string,
): void {
  response.writeHead(status, headers);
  if (unsent.push(() => response.end(body)) === 1) setImmediate(sendAll);
}

function sendAll(): void {
  const all = unsent;
  unsent = [];
  for (const send of all) send();
}
