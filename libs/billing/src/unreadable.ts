import type { z } from 'zod';
import type { ReasonWithDetail } from './fact';

/** The place of the first fault in a message. It gives the expectation, never the value, which may be a name. */
export function unreadableReason({ issues }: z.ZodError): ReasonWithDetail<'unreadable'> {
  const { path, message } = issues[0]!; // a ZodError has at least one issue
  return { reason: 'unreadable', detail: `${path.join('.') || 'the message'}: ${message}.` };
}
