import grpc from '@grpc/grpc-js';

const { Metadata, status } = grpc;

export { status };

/**
 * The gRPC error that a server would send for this error. The error comes from the embedded log, or a test ordered it.
 */
export function failureOf(error) {
  if (error.kind === 'too-large')
    return failure(status.INVALID_ARGUMENT, error.message, {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': '1048576',
    });
  if (error.kind === 'invalid') return failure(status.INVALID_ARGUMENT, error.message);
  if (error.kind) return failure(status.UNAVAILABLE, error.message);
  return failure(error.code ?? status.UNKNOWN, error.message, error.fields);
}

function failure(code, message, fields = {}) {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return Object.assign(new Error(message), { code, details: message, metadata });
}

/** Throws what a server answers first: to wrong credentials, and to calls that only the leader may serve. */
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
