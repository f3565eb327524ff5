import type { Request, Response } from 'express';
import { type ReleaseSlotWhile, ClientGone } from '../http/admission/gate';

export const NDJSON = 'application/x-ndjson';

/** Whether whoever asks wants all of it, line by line. */
export const acceptsNdjson = ({ headers: { accept } }: Pick<Request, 'headers'>): boolean =>
  accept?.toLowerCase().includes(NDJSON) ?? false;

type Line = Readonly<{ request: Request; response: Response; gone: AbortSignal; aside: ReleaseSlotWhile }>;

/**
 * Sends one line of JSON after the other, as fast as they are taken and no faster: what waits is one piece, however many
 * lines there are. What goes wrong before the first piece is out is still told as a problem; afterwards the answer stops in
 * its middle, which who reads it can see.
 * @throws what the lines throw; Gone
 */
export async function sendNdjson(
  lines: AsyncIterable<string>,
  headers: Readonly<Record<string, string>>,
  { request, response, gone, aside }: Line,
): Promise<void> {
  let piece = '';
  const begin = () => {
    if (!response.headersSent) response.status(200).set({ 'Content-Type': NDJSON, ...headers });
  };
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE) continue;
    begin();
    if (request.method === 'HEAD') break;
    await writeWhenDrained(response, piece, gone, aside);
    piece = '';
  }
  begin();
  response.end(piece);
}

/** As lines. */
export async function* asJsonLines(values: AsyncIterable<object>): AsyncGenerator<string, void> {
  for await (const value of values) yield JSON.stringify(value);
}

/** Resolves once there is room for more. @throws Gone, also when nobody takes anything for a while */
export async function writeWhenDrained(
  response: Response,
  piece: string,
  gone: AbortSignal,
  aside: ReleaseSlotWhile,
): Promise<void> {
  gone.throwIfAborted();
  if (!response.write(piece)) await aside(roomIn(response, gone));
}

const roomIn = (response: Response, gone: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const done = (end: () => void) => {
      clearTimeout(timer);
      response.off('drain', go);
      gone.removeEventListener('abort', leave);
      end();
    };
    const go = () => done(resolve);
    const leave = () => done(() => reject(gone.reason instanceof Error ? gone.reason : new ClientGone()));
    const timer = setTimeout(() => done(() => reject(new ClientGone())), IDLE_MS);
    response.once('drain', go);
    gone.addEventListener('abort', leave);
  });

/** How much is sent at once, in characters. */
const PIECE = 64 * 1024;

/** Whoever takes nothing for so long has stopped reading, and holds a place that others wait for (`acceptance.md` Q4). */
const IDLE_MS = 30_000;
