import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

let unsent: (() => void)[] = [];
/** The number of answers in the present tick. */
let answers = 0;
/** Whether the latest tick with an answer had several answers. */
let isBusy = false;

/**
 * Answers a request. If many requests arrive, answers it when the present tick of the event loop ends, together with
 * all other answers of the tick: if a process writes its answers one directly after the other, the kernel wakes the
 * process of the client less often (`docs/adr/0006-nest-on-express-with-a-fast-path.md`). From the call on,
 * `response.headersSent` is true.
 * @throws TypeError if the status or a header is not valid
 */
export function sendTogether(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  body?: string,
): void {
  response.writeHead(status, headers);
  answers += 1;
  if (answers === 1) setImmediate(endTick);
  if (isBusy) unsent.push(() => response.end(body));
  else response.end(body);
}

function endTick(): void {
  const all = unsent;
  isBusy = answers > 1;
  [unsent, answers] = [[], 0];
  for (const send of all) send();
}
