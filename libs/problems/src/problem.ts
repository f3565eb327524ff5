import type { RefusalReason } from '@charter/organization';

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
export const problemTypeOf = (reason: string): Pick<ProblemDocument, 'type' | 'title'> => ({
  type: `/problems/${reason}`,
  title: titles[reason] ?? spelledOut(reason),
});

/**
 * The HTTP status of a refused command (`api.md`, Errors): 403 for `not-allowed`, 404 for `no-such-…`, otherwise 409.
 */
export const statusOfRefusal = (refused: RefusalReason): number =>
  refused === 'not-allowed' ? 403 : refused.startsWith('no-such-') ? 404 : 409;

/**
 * The titles that differ from the words of the reason. A reason without an entry here has its words as its title:
 * `hostname-taken` has the title "Hostname taken".
 */
const titles: { readonly [reason: string]: string } = {
  'limit-exceeded': 'The limit is reached',
  'feature-off': 'The feature is off',
  'last-owner': 'The last owner stays',
  malformed: 'The request is malformed',
  internal: 'Something went wrong',
  stale: 'The organization has changed',
  'key-reused': 'The idempotency key was used for another request',
};
const spelledOut = (reason: string) => (reason.charAt(0).toUpperCase() + reason.slice(1)).replaceAll('-', ' ');
