import type { z } from 'zod';
import type { ReasonWithDetail } from './fact';

/**
 * Names the place of the first error in a message, and the expected form. Leaves out the wrong value, because it may be
 * a person's name.
 */
export function unreadableReason({ issues }: z.ZodError): ReasonWithDetail<'unreadable'> {
  const { path, message } = issues[0]!; // a ZodError has at least one issue
  return {
    reason: 'unreadable',
    detail: `${path.join('.') || 'the message'}: ${message === DEFAULT_UNION_MESSAGE ? 'has a wrong form' : message}.`,
  };
}

/** The validator's default message for a value that matches no member of a union. */
const DEFAULT_UNION_MESSAGE = 'Invalid input';
