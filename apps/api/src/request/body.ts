import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import express from 'express';
import { malformed, Stop } from './problem';

/** `api.md`, Errors: 413 beyond this, also after decompression. */
export const BODY_MAX = 100 * 1024;

/** No request of ours is nested deeper than a few levels; far below what would overflow a stack. */
const DEPTH_MAX = 32;

/** Bodies are JSON in UTF-8 or refused: 415 for anything else, 413 for too much, 400 for what cannot be read. */
export const jsonBodies: readonly RequestHandler[] = [
  (request, _response, next) => {
    if (hasBody(request) && !isJson(request))
      throw new Stop(415, 'not-json', 'The body must be application/json in UTF-8.');
    next();
  },
  express.raw({ type: () => true, limit: BODY_MAX }),
  (request, _response, next) => {
    request.body = Buffer.isBuffer(request.body) && request.body.length > 0 ? parsed(request.body) : undefined;
    next();
  },
];

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

export function isJson({ headers }: IncomingMessage): boolean {
  const [type, ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase());
  return type === 'application/json' && parameters.every((part) => part === '' || /^charset="?utf-8"?$/.test(part));
}

/** One JSON value from bytes: no byte order mark, no invalid UTF-8, nothing deep, and no `__proto__` anywhere. */
export function parsed(bytes: Buffer): unknown {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Stop(400, 'malformed', 'The body is not JSON in UTF-8.', {
      errors: [{ path: '', message: 'is not JSON in UTF-8' }],
    });
  }
  refuseTricks(value, '', 0);
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function refuseTricks(value: unknown, path: string, depth: number): void {
  if (typeof value === 'string' && !value.isWellFormed())
    throw malformed([{ path, message: 'holds half a character' }]);
  if (typeof value !== 'object' || value === null) return;
  if (depth > DEPTH_MAX) throw malformed([{ path: '', message: `is nested deeper than ${DEPTH_MAX} levels` }]);
  for (const [key, inner] of Object.entries(value)) {
    const place = path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') throw malformed([{ path: place, message: 'is no name for a field' }]);
    refuseTricks(inner, place, depth + 1);
  }
}
