import type { RefusalReason } from '@charter/organization';
import { type ProblemReason, problemTypes } from './problem-types';

/**
 * A problem document (RFC 9457): the answer to a failed HTTP request, and the error that the command line prints with
 * `--json`.
 */
export type ProblemDocument = Readonly<{
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The id of the request, which is also in the messages that the process logs; absent on the command line. */
  instance?: string;
  [fact: string]: unknown;
}>;

/** The type (for programs) and the title (for people) of a problem with the given reason. */
export const problemTypeOf = (reason: ProblemReason): Pick<ProblemDocument, 'type' | 'title'> => ({
  type: `/problems/${reason}`,
  title: problemTypes[reason].title,
});

/**
 * The HTTP status of a refused command (`api.md`, Errors): 403 for `not-allowed`, 404 for `no-such-…`, otherwise 409.
 */
export const statusOfRefusal = (refused: RefusalReason): number =>
  refused === 'not-allowed' ? 403 : refused.startsWith('no-such-') ? 404 : 409;
