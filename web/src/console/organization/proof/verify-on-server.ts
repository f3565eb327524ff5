import type { Verification } from '@charter/client';
import { lineSplitter } from '../../../proof/file-check/file-lines';
import { fetchLogged } from '../../requests/fetch-logged';
import { callFailureOf, type CallFailure } from '../../problem';

export type ServerProgress = Readonly<{ done: number; total: number }>;

/**
 * Asks the service to verify the history, and reports the progress of the verification.
 * @throws RequestFailed if the service refuses, or if its answer was cut off; the error of an aborted request
 */
export async function verifyOnServer(
  id: string,
  signal: AbortSignal,
  onProgress: (progress: ServerProgress) => void,
): Promise<Verification> {
  const answer = await fetchLogged(`/api/v1/organizations/${id}/verify`, {
    headers: { Accept: 'application/x-ndjson' },
    signal,
  });
  if (!answer.ok || !answer.body) throw await requestFailed(answer);
  const splitter = lineSplitter();
  const reader = answer.body.getReader();
  let verdict: Verification | undefined;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    for (const line of splitter.add(piece.value)) {
      const value = JSON.parse(line) as ServerProgress | Verification;
      if ('ok' in value) verdict = value;
      else onProgress(value);
    }
  if (!verdict) throw new RequestFailed(callFailureOf({}));
  return verdict;
}

/** The error of a request that `fetch` sent and that the service refused, or whose answer was cut off. */
export class RequestFailed extends Error {
  constructor(readonly failure: CallFailure) {
    super(`The service answered ${failure.status}.`);
    this.name = 'RequestFailed';
  }
}

/**
 * Converts an error to a failure that the page can show. An error without an answer means that the service is
 * unreachable.
 */
export const failureIn = (error: unknown): CallFailure =>
  error instanceof RequestFailed ? error.failure : callFailureOf({});

/** The error for an answer that refuses the request. */
export async function requestFailed(answer: Response): Promise<RequestFailed> {
  const data: unknown = await answer.json().catch(() => null);
  const headers = { 'retry-after': answer.headers.get('Retry-After') };
  return new RequestFailed(callFailureOf({ response: { status: answer.status, data, headers } } as never));
}
