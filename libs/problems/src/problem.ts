import type { RefusalReason } from '@charter/organization';

/** A problem document (RFC 9457): the error answer over HTTP, and of the command line with `--json`. */
export type ProblemDocument = Readonly<{
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The request's id, as in the log; absent on the command line. */
  instance?: string;
  [fact: string]: unknown;
}>;

/** The problem's type (for programs) and title (for people) that belong to a reason. */
export const problemTypeOf = (reason: string): Pick<ProblemDocument, 'type' | 'title'> => ({
  type: `/problems/${reason}`,
  title: titles[reason] ?? spelledOut(reason),
});

/** The HTTP status of a refused command (`api.md`, Errors): 403 or 404 where the reason says so, otherwise 409. */
export const statusOfRefusal = (refused: RefusalReason): number =>
  refused === 'not-allowed' ? 403 : refused.startsWith('no-such-') ? 404 : 409;

/** Titles that are not just the reason spelled out, as in "Hostname taken" for `hostname-taken`. */
const titles: { readonly [reason: string]: string } = {
  'limit-exceeded': 'The limit is reached',
  'feature-off': 'The feature is off',
  'last-owner': 'The last owner stays',
  malformed: 'The request is malformed',
  internal: 'Something went wrong',
  stale: 'The organization has moved on',
  'key-reused': 'The idempotency key was used for something else',
};
const spelledOut = (reason: string) => (reason.charAt(0).toUpperCase() + reason.slice(1)).replaceAll('-', ' ');
