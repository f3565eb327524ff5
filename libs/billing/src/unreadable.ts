import type { z } from 'zod';
import type { ReasonWithDetail } from './fact';

/**
 * Where the first fault in a message is, and what was expected there. The value is omitted, because it may be a name.
 */
export function unreadableReason({ issues }: z.ZodError): ReasonWithDetail<'unreadable'> {
  const { path, message } = issues[0]!; // a ZodError has at least one issue
  return { reason: 'unreadable', detail: `${path.join('.') || 'the message'}: ${message}.` };
}
