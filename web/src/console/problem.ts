import type { Problem } from '@charter/client';
import type { AxiosError } from 'axios';

/** A failed request to the service. `status` 0 means that there was no answer. */
export type CallFailure = Readonly<{
  status: number;
  /** The last part of the problem's `type`, such as `wrong-password`. */
  reason: string;
  /** The request id, by which operators find the request in the log. */
  request: string;
  /** The seconds in `Retry-After`; null without the header. */
  retryAfter: number | null;
  /**
   * The problem document, with details about the refusal. Missing if there was no answer, or if the answer was not a
   * problem document.
   */
  problem?: Readonly<Problem>;
}>;

/** The failure of a request that the page did not send, because the browser was offline. */
export const offline: CallFailure = { status: 0, reason: 'offline', request: '', retryAfter: null };

type PossibleProblem = Readonly<{ type?: unknown; instance?: unknown }>;

export function callFailureOf({ response }: Pick<AxiosError, 'response'>): CallFailure {
  if (!response) return { status: 0, reason: 'unreachable', request: '', retryAfter: null };
  const problem = (typeof response.data === 'object' ? response.data : null) as PossibleProblem | null;
  const type = typeof problem?.type === 'string' ? problem.type : undefined;
  const seconds = Number(response.headers['retry-after']);
  return {
    status: response.status,
    reason: type?.split('/').at(-1) ?? '',
    request: typeof problem?.instance === 'string' ? problem.instance : '',
    retryAfter: seconds > 0 ? Math.ceil(seconds) : null,
    ...(type !== undefined && { problem: problem as Problem }),
  };
}

export const isCallFailure = (error: unknown): error is CallFailure =>
  typeof error === 'object' && error !== null && 'status' in error && 'reason' in error;

/**
 * Sorts the failure of a request. `missing`: the organization or its moment does not exist (404), or the address does
 * not contain a valid one (400). `paused`: the service asks the page to wait. Undefined while the request is sent
 * again, and without a failure.
 */
export function failureKind({
  error,
  isFetching,
}: Readonly<{ error?: unknown; isFetching?: boolean }>): 'missing' | 'paused' | 'failed' | undefined {
  if (isFetching || !isCallFailure(error)) return undefined;
  if ([400, 404].includes(error.status)) return 'missing';
  return isPause(error) ? 'paused' : 'failed';
}

/** Whether the service's answer says how long a client must wait before it repeats the request. */
export const isPause = ({ status, retryAfter }: CallFailure): boolean =>
  (status === 429 || status === 503) && retryAfter !== null;
