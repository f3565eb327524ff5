import type { IncomingMessage } from 'node:http';
import type { AuditContext } from '@charter/application';
import { requestIdOf } from '../http/authentication/authentication-guard';

/** What somebody does with their own account by a request that no session stands behind yet, or any more. */
export const ownAccountContext = (id: string, request: IncomingMessage, now: number): AuditContext => ({
  actor: { kind: 'account', id, powers: [] },
  at: new Date(now).toISOString(),
  correlation: requestIdOf(request),
});
