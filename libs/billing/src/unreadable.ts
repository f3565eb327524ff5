import type { z } from 'zod';
import type { ReasonWithDetail } from './fact';

/**
 * Says where the first error in a message is, and what was expected there. The wrong value itself is left out, because
 * it may be a person's name.
 */
export function unreadableReason({ issues }: z.ZodError): ReasonWithDetail<'unreadable'> {
  const { path, message } = issues[0]!; // a ZodError has at least one issue
  return { reason: 'unreadable', detail: `${path.join('.') || 'the message'}: ${message}.` };
}
