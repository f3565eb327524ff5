import type { IncomingMessage } from 'node:http';
import type { AuditContext } from '@charter/application';
import { requestIdOf } from '../http/request-id';

/** The audit context for a person who changes their own account without a session, for example with a mailed link. */
export const ownAccountContext = (id: string, request: IncomingMessage, now: number): AuditContext => ({
  actor: { kind: 'account', id, powers: [] },
  at: new Date(now).toISOString(),
  correlation: requestIdOf(request),
});
