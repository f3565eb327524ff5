import { namesIn } from '@charter/organization-view';
import { z } from 'zod';

/** A JSON pointer (RFC 6901), parsed into its names. A name has at most 255 characters, and each may be escaped. */
export const Pointer = z
  .string()
  .max(2_000)
  .regex(/^(\/([^/~]|~[01])*)*$/, 'must be a JSON pointer such as /members')
  .transform(namesIn);
