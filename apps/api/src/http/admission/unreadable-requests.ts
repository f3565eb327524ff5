import { randomUUID } from 'node:crypto';
import { type RequestListener, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Settings } from '@charter/settings';
import { type ProblemReason, problemTypeOf } from '@charter/problems';
import { headersOfAnswers } from '../headers';
import { writeProblem } from '../problems/write-problem';

/** For each connection, its newest response after its earlier responses that are not complete. */
const responsesOf = new WeakMap<Duplex, readonly ServerResponse[]>();

/** Notes the responses of each connection, so that `refuseUnreadableRequest` writes into no other answer. */
export const notingAnswers =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const earlier = responsesOf.get(request.socket) ?? [];
    responsesOf.set(request.socket, [...earlier.filter(({ writableEnded }) => !writableEnded), response]);
    listener(request, response);
  };

/**
 * If Node cannot read a request as HTTP, sends a problem document and closes the connection. Sends no document if the
 * request was answered before its body ended, or while an earlier request of the connection has no complete answer.
 */
export const refuseUnreadableRequest =
  (facing: Pick<Settings, 'publicUrl'>) => (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answers = responsesOf.get(socket) ?? [];
    const mayAnswer = answers.every(({ req, headersSent, writableEnded }, index) =>
      index < answers.length - 1 || req.complete ? writableEnded : !headersSent,
    );
    if (error.code === 'ECONNRESET' || !socket.writable || !mayAnswer) return void socket.destroy();
    const [status, reason, detail] = unreadable[error.code ?? ''] ?? [
      400,
      'malformed',
      'The request is not valid HTTP/1.1.',
    ];
    const problem = { ...problemTypeOf(reason), status, detail };
    const { headers, body } = writeProblem(problem, randomUUID(), headersOfAnswers(facing));
    const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref(); // closes the connection of a client that does not close it
  };

/**
 * The number of milliseconds after which the process closes the connection, so that the client has time to read the
 * refusal.
 */
const LINGER_MS = 1_000;
const unreadable: Readonly<Record<string, readonly [status: number, reason: ProblemReason, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'headers-too-large',
    'The URL and the headers of the request are together larger than 16 KiB.',
  ],
  HPE_INVALID_METHOD: [501, 'unknown-method', 'HTTP has no method with this name.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'too-slow', 'The request did not arrive completely within the time limit.'],
};
