import grpc from '@grpc/grpc-js';

const { Metadata, status } = grpc;

export { status };

/** The maximum number of bytes of data in one append. Metadata and types do not count. */
export const APPEND_DATA_MAX = 1_048_576;

export const tooLarge = {
  code: status.INVALID_ARGUMENT,
  message: `Maximum Append Size of ${APPEND_DATA_MAX} Exceeded.`,
  fields: { exception: 'maximum-append-size-exceeded', 'maximum-append-size': String(APPEND_DATA_MAX) },
};
export const deadlineExceeded = { code: status.DEADLINE_EXCEEDED, message: 'Timeout' };
export const invalidPosition = { code: status.INVALID_ARGUMENT, message: 'Trying to read from an invalid position' };

/**
 * The failure of a call whose handler threw inside the server. Only an answer on the batch path (`event-log.md` B)
 * contains `reason`.
 */
export const thrownByHandler = (reason) => ({
  ...{ code: status.UNKNOWN, message: 'Exception was thrown by handler.', reason },
});

export const streamDeleted = (stream) => ({
  code: status.FAILED_PRECONDITION,
  message: `Event stream '${stream}' is deleted.`,
  fields: { exception: 'stream-deleted', 'stream-name': stream },
});

/**
 * The failure of a deletion whose expected revision is wrong. A wrong revision of an append is no failure: a normal
 * answer reports it.
 */
export const unexpectedVersion = (stream, expected, actual) => ({
  code: status.FAILED_PRECONDITION,
  message: `Delete failed due to WrongExpectedVersion. Stream: ${stream}, Actual version: ${actual}`,
  fields: {
    exception: 'wrong-expected-version',
    'stream-name': stream,
    'expected-version': String({ no_stream: -1, any: -2, stream_exists: -4 }[expected] ?? expected),
    'actual-version': String(actual),
  },
});

/** The gRPC error that a server would send for an error: of the embedded log, of this file, or ordered by a test. */
export function failureOf(error) {
  if (error.kind) return failure(status.UNAVAILABLE, error.message);
  return failure(error.code ?? status.UNKNOWN, error.message, error.fields);
}

function failure(code, message, fields = {}) {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return Object.assign(new Error(message), { code, details: message, metadata });
}

/** Throws the error with which a server refuses wrong credentials, or calls that only the leader may serve. */
export function refuseUnauthorized(call, state) {
  const said = call.metadata.get('authorization')[0];
  if (state.user && said !== `Basic ${Buffer.from(state.user).toString('base64')}`)
    throw { code: status.UNAUTHENTICATED, message: 'UnAuthenticated' };
  const isForLeader = call.metadata.get('requires-leader')[0] === 'true';
  if (state.leader && isForLeader)
    throw {
      code: status.NOT_FOUND,
      message: `Leader info available`,
      fields: {
        exception: 'not-leader',
        'leader-endpoint-host': '127.0.0.1',
        'leader-endpoint-port': String(state.leader),
      },
    };
}
