import type { IncomingMessage } from 'node:http';
import type { By } from '@charter/application';
import { requestIdOf } from '../http/authentication/authentication-guard';

/** What somebody does with their own account by a request that no session stands behind yet, or any more. */
export const byThemselves = (id: string, request: IncomingMessage, now: number): By => ({
  actor: { kind: 'account', id, powers: [] },
  at: new Date(now).toISOString(),
  correlation: requestIdOf(request),
});
