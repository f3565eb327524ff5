import { namesIn } from '@charter/organization-view';
import { z } from 'zod';

/**
 * A JSON pointer (RFC 6901), parsed into the names of its segments. The maximum length leaves room for three segments
 * of 255 characters, even if each character needs an escape.
 */
export const Pointer = z
  .string()
  .max(2_000)
  .regex(/^(\/([^/~]|~[01])*)*$/, 'must be a JSON pointer such as /members')
  .transform(namesIn);
