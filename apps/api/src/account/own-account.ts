import type { IncomingMessage } from 'node:http';
import type { AuditContext } from '@charter/application';
import { momentAt } from '@charter/decider';
import { requestIdOf } from '../http/request-id';

/** The audit context for a person who changes their own account without a session, for example with a mailed link. */
export const ownAccountContext = (id: string, request: IncomingMessage, now: number): AuditContext => ({
  actor: { kind: 'account', id, powers: [] },
  at: momentAt(now),
  correlation: requestIdOf(request),
});
