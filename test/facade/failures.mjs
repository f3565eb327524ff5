import grpc from '@grpc/grpc-js';

const { Metadata, status } = grpc;

export { status };

/** What a server would say of an error of the embedded log, or of one that was ordered. */
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

/** What a server refuses before it looks at anything: strangers, and what only the leader may do. */
export function refuseWhoMayNot(call, told) {
  const said = call.metadata.get('authorization')[0];
  if (told.user && said !== `Basic ${Buffer.from(told.user).toString('base64')}`)
    throw { code: status.UNAUTHENTICATED, message: 'UnAuthenticated' };
  const isForLeader = call.metadata.get('requires-leader')[0] === 'true';
  if (told.leader && isForLeader)
    throw {
      code: status.NOT_FOUND,
      message: `Leader info available`,
      fields: {
        exception: 'not-leader',
        'leader-endpoint-host': '127.0.0.1',
        'leader-endpoint-port': String(told.leader),
      },
    };
}
