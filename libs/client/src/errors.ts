import type { Problem } from './types.js';

/** The reasons of all problems: the last part of their type. */
export type CharterProblemReason = ReasonIn<Problem['type']>;
type ReasonIn<Type> = Type extends `/problems/${infer Reason}` ? Reason : never;

/** The additional fields that a problem with this reason always has. */
type Facts = {
  'limit-exceeded': 'limit' | 'allowed' | 'used' | 'requested' | 'hard' | 'because';
  'feature-off': 'feature' | 'because' | 'today';
};
type FactsOf<Reason> = Reason extends keyof Facts ? Facts[Reason] : never;

/** A problem document with this reason. */
export type ProblemWith<Reason> = Problem & Required<Pick<Problem, FactsOf<Reason>>>;

/** Thrown for an answer that is a problem document (RFC 9457). */
export class CharterProblem<Reason extends CharterProblemReason = CharterProblemReason> extends Error {
  override readonly name = 'CharterProblem';
  readonly status: number;

  constructor(
    readonly reason: Reason,
    readonly problem: ProblemWith<Reason>,
    /** The number of milliseconds after which Charter accepts the request again, from `Retry-After`. */
    readonly retryAfter?: number,
  ) {
    super(`${problem.title}: ${problem.detail}`);
    this.status = problem.status;
  }
}

type EachProblem = { [Reason in CharterProblemReason]: CharterProblem<Reason> }[CharterProblemReason];

/** Whether the error contains a problem document. A comparison of `error.reason` then narrows the type of the error. */
export const isCharterProblem = (error: unknown): error is EachProblem => error instanceof CharterProblem;

/** Thrown for an answer that does not come from Charter, or that is incomplete. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(
    readonly status: number,
    what: string,
    readonly retryAfter?: number,
  ) {
    super(`The answer with status ${status} ${what}.`);
  }
}

/** Thrown while the client has no values of an organization, and the caller gives no fallback. */
export class NotReady extends Error {
  override readonly name = 'NotReady';
}

/**
 * Thrown after Charter refused the credentials: the client then has dropped all values. Also thrown for a single
 * organization that does not exist, or that the credentials may not see.
 */
export class Fatal extends Error {
  override readonly name = 'Fatal';
}

/** Whether Charter refuses the credentials, or the permission for this request. */
export const isRefusedAccess = (error: unknown): boolean =>
  (error instanceof CharterProblem || error instanceof UnexpectedAnswer) &&
  (error.status === 401 || error.status === 403);
