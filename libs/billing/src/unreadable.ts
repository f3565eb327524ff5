import type { z } from 'zod';
import type { ReasonWithDetail } from './fact';

/** Where a message is not as it should be. Says what was expected, never what was there: it may be a name. */
export function unreadableReason({ issues }: z.ZodError): ReasonWithDetail<'unreadable'> {
  const { path, message } = issues[0]!; // there is one, or it would have been read
  return { reason: 'unreadable', detail: `${path.join('.') || 'the message'}: ${message}.` };
}
