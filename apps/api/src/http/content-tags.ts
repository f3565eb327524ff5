import { hash } from 'node:crypto';
import type { Immutable } from '@charter/decider';
import { hashOfSchemas } from '@charter/organization-view';
import type { z } from 'zod';

/**
 * Makes ETags from the content of answers. The ETag changes with each value in the answer, and with a release that
 * changes the fields of the answer. So the ETag also differs between callers who get different answers.
 */
export function contentTags<Body extends object>(schema: z.ZodType<Body>): (answer: Immutable<Body>) => string {
  let shape: string | undefined;
  return (answer) => `"${(shape ??= hashOfSchemas([schema]))}-${hash('sha256', JSON.stringify(answer)).slice(0, 16)}"`;
}
