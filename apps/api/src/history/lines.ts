import { once } from 'node:events';
import type { Request, Response } from 'express';

/** How much is sent at once, in characters. */
const PIECE = 64 * 1024;

/** Whoever takes nothing for so long has stopped reading, and holds a place that others wait for. */
const IDLE_MS = 30_000;

type Line = Readonly<{ request: Request; response: Response; gone: AbortSignal }>;

/**
 * Sends lines of JSON as fast as they are read. What goes wrong before the first piece is out is still told as a problem;
 * afterwards the answer stops in its middle, which who reads it can see.
 * @throws what the lines throw; why `gone` fired; an error when nobody reads any more
 */
export async function sendLines(
  lines: AsyncIterable<string>,
  headers: Readonly<Record<string, string>>,
  { request, response, gone }: Line,
): Promise<void> {
  let piece = '';
  const begin = () => {
    if (!response.headersSent) response.status(200).set({ 'Content-Type': 'application/x-ndjson', ...headers });
  };
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    begin();
    if (request.method === 'HEAD') break;
    if (!response.write(piece)) await drained(response, gone);
    piece = '';
  }
  begin();
  response.end(piece);
}

async function drained(response: Response, gone: AbortSignal): Promise<void> {
  try {
    await once(response, 'drain', { signal: AbortSignal.any([gone, AbortSignal.timeout(IDLE_MS)]) });
  } catch (error) {
    gone.throwIfAborted();
    throw error;
  }
}
