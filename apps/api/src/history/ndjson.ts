import type { Request, Response } from 'express';
import type { ChangeLine, HistoryEventAnswer, VerificationLine } from './history.answers';
import { type ReleaseSlotWhile, ClientGone } from '../http/admission/gate';

export const NDJSON = 'application/x-ndjson';

/** Whether the client prefers NDJSON, the format with one JSON value on each line, to one JSON document. */
export const prefersNdjson = (request: Pick<Request, 'accepts'>): boolean =>
  request.accepts(['application/json', NDJSON]) === NDJSON;

type Line = Readonly<{
  request: Request;
  response: Response;
  gone: AbortSignal;
  releaseSlotWhile: ReleaseSlotWhile;
  /** If true, sends each line as soon as the line is available, and does not collect lines into pieces. */
  atOnce?: boolean;
}>;

/**
 * Sends JSON lines in pieces, as fast as the client reads them. Each item of `lines` is one line, or the lines that
 * are available together. Only one piece is in memory at a time. A failure before the first piece is answered with a
 * problem document. A later failure closes the connection before the answer is complete, so that the client detects
 * the failure.
 * @throws the errors of `lines`; ClientGone
 */
export const sendNdjson = (
  lines: AsyncIterable<string | readonly string[]>,
  headers: Readonly<Record<string, string>>,
  line: Line,
): Promise<void> => sendInPieces(lines, { 'Content-Type': NDJSON, ...headers }, line, '\n');

/** Sends texts as one answer, in pieces like `sendNdjson`. @throws the errors of `texts`; ClientGone */
export async function sendInPieces(
  texts: AsyncIterable<string | readonly string[]>,
  headers: Readonly<Record<string, string>>,
  { request, response, gone, releaseSlotWhile, atOnce = false }: Line,
  end = '',
): Promise<void> {
  let piece = '';
  const begin = () => {
    if (!response.headersSent) response.status(200).set(headers);
  };
  for await (const available of texts)
    for (const text of typeof available === 'string' ? [available] : available) {
      piece += `${text}${end}`;
      if (!atOnce && piece.length < PIECE) continue;
      begin();
      if (request.method === 'HEAD') return void response.end();
      await writeWhenDrained(response, piece, gone, releaseSlotWhile);
      piece = '';
    }
  begin();
  response.end(piece);
}

/** Prints each value as a line of JSON. The OpenAPI operations declare the types of the printed values. */
export async function* asJsonLines(
  values: AsyncIterable<HistoryEventAnswer | ChangeLine | VerificationLine>,
): AsyncGenerator<string, void> {
  for await (const value of values) yield JSON.stringify(value);
}

/**
 * Writes a piece of the answer, and resolves when the socket accepts more bytes.
 * @throws ClientGone if the client disconnects, or does not read the piece within `PIECE_READ_MS`
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
    const timer = setTimeout(() => done(() => reject(new ClientGone())), PIECE_READ_MS);
    response.once('drain', go);
    gone.addEventListener('abort', leave);
  });

/** The process collects NDJSON lines until their text has this number of characters, and then sends the text. */
const PIECE = 64 * 1024;

/**
 * The number of milliseconds in which a client must read a piece. A slower client is disconnected, because its request
 * occupies a slot of the gate (`acceptance.md` Q4).
 */
const PIECE_READ_MS = 30_000;
