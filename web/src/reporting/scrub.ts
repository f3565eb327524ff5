import type { ErrorEvent, EventHint, Exception, StackFrame } from '@sentry/browser';
import { placeOfDifference } from './answers-differ';

/**
 * Reduces an error report to the error's type, its position in our own files, and the release. Removes all other
 * fields, such as messages, URLs, breadcrumbs and the signed-in person, because they can contain personal data. The
 * report of an `AnswersDiffer` error also contains the organization's id, the revision, and the paths of the different
 * values.
 */
export const scrubbed = (event: ErrorEvent, { originalException }: EventHint = {}): ErrorEvent => ({
  type: undefined,
  ...(event.event_id !== undefined && { event_id: event.event_id }),
  ...(event.timestamp !== undefined && { timestamp: event.timestamp }),
  ...(event.release !== undefined && { release: event.release }),
  platform: 'javascript',
  level: event.level ?? 'error',
  exception: { values: (event.exception?.values ?? []).map(scrubbedException) },
  ...tagsOf(originalException),
});

function tagsOf(error: unknown): Pick<ErrorEvent, 'tags'> {
  const place = placeOfDifference(error);
  return place ? { tags: { ...place } } : {};
}

const scrubbedException = ({ type, stacktrace }: Exception): Exception => ({
  ...(type !== undefined && { type: type.slice(0, 100) }),
  value: '',
  stacktrace: { frames: (stacktrace?.frames ?? []).filter(isOurs).map(scrubbedFrame) },
});

/**
 * Whether a stack frame is in one of our files, such as `/assets/sign-in-B4x1.js`. Other frames are left out, because
 * URLs of pages can contain a token.
 */
const isOurs = ({ filename }: StackFrame) => /\/assets\/[\w.-]+\.js/.test(filename ?? '');

const scrubbedFrame = ({ filename, function: name, lineno, colno }: StackFrame): StackFrame => ({
  filename: /\/assets\/[\w.-]+\.js/.exec(filename ?? '')?.[0] ?? '',
  ...(name !== undefined && { function: name }),
  ...(lineno !== undefined && { lineno }),
  ...(colno !== undefined && { colno }),
});
