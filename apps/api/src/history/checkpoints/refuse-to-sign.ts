import { Refused } from '@charter/aggregates';
import { SignedHeadsInvalid } from '@charter/application';
import { isLogError } from '@charter/event-log';
import { BrokenChain } from '@charter/integrity';
import { noSuchOrganization } from '@charter/organization';
import { ProblemError } from '../../http/problems/problem';

/** Throws the problem for an error that prevents Charter from signing or publishing a history. */
export function refuseToSign(error: unknown): never {
  if (isLogError(error, 'not-found')) throw new Refused(noSuchOrganization);
  if (error instanceof SignedHeadsInvalid)
    throw new ProblemError(500, 'not-believed', `${error.message} Nothing is signed.`, { why: error.message });
  if (!(error instanceof BrokenChain)) throw error;
  const { at, reason } = error;
  throw new ProblemError(
    500,
    'broken-chain',
    `The hash chain is broken at revision ${at}: ${reason}. Charter does not sign this history.`,
    {
      at,
      why: reason,
    },
  );
}
