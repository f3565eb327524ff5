import { Conflict, LogError, type LogErrorKind } from '../errors';
import type { ExpectedRevision } from '../port';

/**
 * Turns an error of the client into a LogError (`event-log.md` A7). The function reads `type` and `code` instead of
 * using `instanceof`. Some errors have no class, and in a test the classes belong to another realm. `what` describes
 * the failed action and begins the message.
 */
export function logErrorOf(cause: unknown, what: string): LogError {
  if (cause instanceof LogError) return cause;
  return new LogError(classOf(cause), `${what}: ${messageOf(cause)}.`, { cause });
}

/** The LogError for a refused append: a `Conflict` if the stream is at another revision. */
export function appendErrorOf(cause: unknown, stream: string, expected: ExpectedRevision): LogError {
  if (textIn(cause, 'type') !== 'wrong-expected-version') return logErrorOf(cause, `An append to ${stream} failed`);
  const { actualVersion: actual } = cause as { actualVersion?: unknown };
  return new Conflict(stream, expected, typeof actual === 'bigint' ? actual : 'no_stream');
}

/** Servers of version 23.10 drop a live subscription in normal operation, when the events to send exceed its buffer. */
export const isSlowConsumer = (error: LogError): boolean => /consumer too slow/i.test(messageOf(error.cause));

/**
 * Whether the server rejects the user or the password. Every other error of kind `denied` means that a known user lacks
 * a permission.
 */
export const isAuthenticationFailure = (error: unknown): boolean =>
  codeOf(error instanceof LogError ? error.cause : error) === UNAUTHENTICATED;

function classOf(cause: unknown): LogErrorKind {
  const type = textIn(cause, 'type');
  const known = type === undefined || type === 'unknown' ? undefined : types[type];
  if (known) return known;
  const message = messageOf(cause);
  return messages.find(([pattern]) => pattern.test(message))?.[1] ?? codes[codeOf(cause)] ?? 'internal';
}

const types: Readonly<Record<string, LogErrorKind>> = {
  'stream-not-found': 'not-found',
  'no-stream': 'not-found',
  'not-found': 'not-found',
  'stream-deleted': 'deleted',
  'maximum-append-size-exceeded': 'too-large',
  'invalid-argument': 'invalid',
  'missing-required-metadata-property': 'invalid',
  unsupported: 'invalid',
  'access-denied': 'denied',
  unavailable: 'unavailable',
  cancelled: 'unavailable',
  'deadline-exceeded': 'unavailable',
  timeout: 'unavailable',
  'not-leader': 'unavailable',
};

/** Error messages that determine the kind of failure, because the errors' codes do not. */
const messages: readonly (readonly [RegExp, LogErrorKind])[] = [
  [/ReadAllResult: (InvalidPosition|Error)|read from an invalid position/i, 'invalid-position'],
  [
    /server is (not ready|too busy|busy)|received rst_stream|cancelled on client|failed to discover|no leader info/i,
    'unavailable',
  ],
  [/too (large|big)|size.*exceed|exceed.*size/i, 'too-large'],
];

/** gRPC's status codes: https://grpc.io/docs/guides/status-codes/ */
const codes: Readonly<Record<number, LogErrorKind>> = {
  1: 'unavailable',
  4: 'unavailable',
  5: 'not-found',
  7: 'denied',
  8: 'unavailable',
  10: 'unavailable',
  14: 'unavailable',
  16: 'denied',
};
const UNAUTHENTICATED = 16;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function textIn(cause: unknown, key: 'type' | 'message'): string | undefined {
  const value: unknown = isObject(cause) && key in cause ? (cause as Record<string, unknown>)[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const codeOf = (cause: unknown): number => {
  const code = isObject(cause) && 'code' in cause ? cause.code : undefined;
  return typeof code === 'number' ? code : -1;
};

const messageOf = (cause: unknown): string => (textIn(cause, 'message') ?? String(cause)).replace(/\.$/, '');
