import type { ErrorEvent, Exception, StackFrame } from '@sentry/browser';

/**
 * What is told about an error: its type, where in our own files it happened, and the release. Everything else is left
 * out, because anything else may hold something personal: messages, addresses, breadcrumbs, whoever is signed in.
 */
export const scrubbed = (event: ErrorEvent): ErrorEvent => ({
  type: undefined,
  ...(event.event_id !== undefined && { event_id: event.event_id }),
  ...(event.timestamp !== undefined && { timestamp: event.timestamp }),
  ...(event.release !== undefined && { release: event.release }),
  platform: 'javascript',
  level: event.level ?? 'error',
  exception: { values: (event.exception?.values ?? []).map(scrubbedException) },
});

const scrubbedException = ({ type, stacktrace }: Exception): Exception => ({
  ...(type !== undefined && { type: type.slice(0, 100) }),
  value: '',
  stacktrace: { frames: (stacktrace?.frames ?? []).filter(isOurs).map(scrubbedFrame) },
});

/** `/assets/sign-in-B4x1.js`, without host and query: pages, whose addresses may hold a token, are not told. */
const isOurs = ({ filename }: StackFrame) => /\/assets\/[\w.-]+\.js/.test(filename ?? '');

const scrubbedFrame = ({ filename, function: name, lineno, colno }: StackFrame): StackFrame => ({
  filename: /\/assets\/[\w.-]+\.js/.exec(filename ?? '')?.[0] ?? '',
  ...(name !== undefined && { function: name }),
  ...(lineno !== undefined && { lineno }),
  ...(colno !== undefined && { colno }),
});
