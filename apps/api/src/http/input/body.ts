import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { malformedRequest, ProblemError } from '../problems/problem';
import { closeAfterAnswer, LAST_ANSWER } from './close-after-answer';
import { repeatsFields } from './repeated-fields';

/** The maximum size of a body in bytes; a larger body gets 413 (`api.md`, Errors). */
const BODY_MAX = 100 * 1024;

/** The maximum size of a payment provider's message in bytes. */
export const WEBHOOK_MAX = 1024 * 1024;

/**
 * The maximum number of nested levels in a body. Charter's requests need only a few levels. Far more levels would
 * overflow the stack.
 */
const DEPTH_MAX = 32;

/** A request with its raw body. */
export type RawRequest = Request & { rawBody?: Buffer };

/**
 * Accepts JSON bodies in UTF-8. Answers 415 for another type, 413 for a body that is too large, and 400 for a body that
 * cannot be parsed.
 */
export const jsonBodies: RequestHandler = async (request, _response, next) => {
  if (!hasBody(request) || isWebhook(request.url)) {
    next(); // the signature covers the raw bytes of a webhook's body, so the body is not parsed here
    return;
  }
  if (!isJson(request) && !isCloudEvents(request))
    throw new ProblemError(415, 'not-json', 'The body must be application/json in UTF-8.');
  if (isCompressed(request))
    throw new ProblemError(415, 'packed', 'The body must not be compressed.', {}, { 'Accept-Encoding': 'identity' });
  const bytes = await readBody(request);
  (request as RawRequest).rawBody = bytes;
  request.body = bytes.length > 0 ? parseJson(bytes, isLogin(request.url)) : undefined;
  next();
};

/**
 * Reads the whole body, or returns the kept body (`keepBody`). Refuses a body as soon as it is larger than `max`. The
 * refusal is the last answer of the connection; the process reads and drops the remaining bytes, so that the client
 * receives the answer.
 * @throws ProblemError 413; 400 if the client disconnected
 */
export function readBody(request: IncomingMessage, max = BODY_MAX): Promise<Buffer> {
  const kept = keptBodies.get(request);
  if (kept) return Promise.resolve(kept);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const refuse = () => {
      closeAfterAnswer(request);
      reject(tooLarge(max));
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) chunks.push(chunk);
      else refuse();
    };
    request.on('data', take);
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', () =>
      reject(new ProblemError(400, 'malformed', 'The request body was cut off.', { errors: [] })),
    );
    if (Number(request.headers['content-length'] ?? 0) > max) refuse();
  });
}

/** Keeps a body that the fast path has read, because Node streams a body only once and Nest's route needs it too. */
export const keepBody = (request: IncomingMessage, body: Buffer): void => void keptBodies.set(request, body);
const keptBodies = new WeakMap<IncomingMessage, Buffer>();

const tooLarge = (max: number) =>
  new ProblemError(413, 'too-large', `The body is larger than ${max / 1024} KiB.`, {}, LAST_ANSWER);

/**
 * Whether this is the URL to which Stripe sends its signed messages. The pattern accepts upper and lower case, and a
 * slash at the end.
 */
export const isWebhook = (url: string): boolean => /^\/webhooks\/stripe\/?(\?|$)/i.test(url);

/**
 * Whether this is the URL of the log-in route. If a body repeats a field, the log-in route answers as after a wrong
 * password (`acceptance.md` A18).
 */
const isLogin = (url: string): boolean => /^\/login\/?(\?|$)/i.test(url);

/** Whether the request sends CloudEvents in JSON to the route for billing events (CloudEvents 1.0, HTTP binding). */
function isCloudEvents({ url = '', headers }: IncomingMessage): boolean {
  if (!/^\/api\/v1\/billing\/events\/?(\?|$)/i.test(url)) return false;
  return isOfType(headers, ['application/cloudevents+json', 'application/cloudevents-batch+json']);
}

/** Whether the request has a body, or may have one. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the request states the size of its body before it sends the body, and the body is not too large. */
export function hasSmallBody({ headers }: IncomingMessage): boolean {
  const size = Number(headers['content-length'] ?? 0);
  return size > 0 && size <= BODY_MAX;
}

export const isJson = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === 'application/json' || isOfType(headers, ['application/json']);

function isOfType(headers: IncomingMessage['headers'], types: readonly string[]): boolean {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  return types.includes(type) && parameters.every((part) => part === '' || /^charset="?utf-?8"?$/.test(part));
}

export const isCompressed = ({ headers }: IncomingMessage): boolean =>
  (headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity';

/**
 * Parses a JSON value. Refuses a byte order mark, invalid UTF-8, deep nesting, fields such as `__proto__`, and an
 * object that names a field twice. `JSON.parse` returns the last value of a repeated field, but a proxy or a log may
 * have read the first.
 */
export function parseJson(bytes: Buffer, mayRepeatFields = false): unknown {
  let value: unknown;
  let text: string;
  try {
    text = utf8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new ProblemError(400, 'malformed', 'The body is not JSON in UTF-8.', {
      errors: [{ path: '', message: 'is not JSON in UTF-8' }],
    });
  }
  refuseTricks(value, '', 0);
  if (!mayRepeatFields && repeatsFields(text, value)) throw repeatedFieldProblem();
  return value;
}

export const repeatedFieldProblem = (): ProblemError =>
  malformedRequest([{ path: '', message: 'names a field twice in one object' }]);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Refuses deep nesting, fields such as `__proto__`, and invalid Unicode in a value. */
function refuseTricks(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string' && !value.isWellFormed())
    throw malformedRequest([{ path, message: 'contains half of a surrogate pair' }]);
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEPTH_MAX) throw malformedRequest([{ path: '', message: `is nested deeper than ${DEPTH_MAX} levels` }]);
  for (const [key, inner] of Object.entries(value)) {
    const fieldPath = path === '' ? key : `${path}.${key}`;
    if (prototypes.has(key)) throw malformedRequest([{ path: fieldPath, message: 'is no name for a field' }]);
    refuseTricks(inner, fieldPath, depth + 1);
  }
}

const prototypes: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
