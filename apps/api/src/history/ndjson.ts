import type { Request, Response } from 'express';
import type { ChangeLine, StoredEventAnswer } from './history.answers';
import { type ReleaseSlotWhile, ClientGone } from '../http/admission/gate';

export const NDJSON = 'application/x-ndjson';

/** Whether the caller wants all events as lines. */
export const acceptsNdjson = ({ headers: { accept } }: Pick<Request, 'headers'>): boolean =>
  accept?.toLowerCase().includes(NDJSON) ?? false;

type Line = Readonly<{ request: Request; response: Response; gone: AbortSignal; releaseSlotWhile: ReleaseSlotWhile }>;

/**
 * Sends lines of JSON as fast as the client reads them; memory holds one piece at a time. A failure before the first
 * piece becomes a problem document. A later failure cuts the answer off, so that the reader can detect it.
 * @throws the errors of `lines`; ClientGone
 */
export async function sendNdjson(
  lines: AsyncIterable<string>,
  headers: Readonly<Record<string, string>>,
  { request, response, gone, releaseSlotWhile }: Line,
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
    await writeWhenDrained(response, piece, gone, releaseSlotWhile);
    piece = '';
  }
  begin();
  response.end(piece);
}

/** Prints values as lines. Their types are those of the schemas that the operations declare for a line. */
export async function* asJsonLines(
  values: AsyncIterable<StoredEventAnswer | ChangeLine>,
): AsyncGenerator<string, void> {
  for await (const value of values) yield JSON.stringify(value);
}

/**
 * Resolves once the socket accepts more bytes.
 * @throws ClientGone, also if the client reads nothing for `IDLE_MS`
 */
export async function writeWhenDrained(
  response: Response,
  piece: string,
  gone: AbortSignal,
  releaseSlotWhile: ReleaseSlotWhile,
): Promise<void> {
  gone.throwIfAborted();
  if (!response.write(piece)) await releaseSlotWhile(roomIn(response, gone));
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

/** Characters in a piece. */
const PIECE = 64 * 1024;

/**
 * Milliseconds without progress after which a slow client is disconnected, because its request occupies a slot of the
 * gate (`acceptance.md` Q4).
 */
const IDLE_MS = 30_000;
