import type { RefusalReason } from '@charter/organization';

/** An answer that says what went wrong (RFC 9457), over HTTP and from the command line with `--json`. */
export type ProblemDocument = Readonly<{
  type: string;
  title: string;
  status: number;
  detail: string;
  /** The id of the request, as in the log; the command line has none. */
  instance?: string;
  [fact: string]: unknown;
}>;

/** How a reason is called: for programs by its type, for people by its title. */
export const problemTypeOf = (reason: string): Pick<ProblemDocument, 'type' | 'title'> => ({
  type: `/problems/${reason}`,
  title: titles[reason] ?? spelledOut(reason),
});

/** The domain's "no" is a 409, but for what may not be known, may not be done, or is not there (`api.md`, Errors). */
export const statusOfRefusal = (refused: RefusalReason): number =>
  refused === 'not-allowed' ? 403 : refused.startsWith('no-such-') ? 404 : 409;

/** `hostname-taken` reads "Hostname taken"; a few deserve a sentence. */
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
