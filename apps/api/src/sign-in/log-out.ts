import type { IncomingMessage } from 'node:http';
import type { AuthenticatedSession } from '@charter/identity';
import type { Response } from 'express';
import { clientAddressOf } from '../http/input/client-address';
import { ownAccountContext } from '../account/own-account';
import { secureRandom, type Charter } from '@charter/application';
import type { Clock } from '../process/parts/clock';
import type { Observability } from '../process/parts/observability';
import type { Authentication } from '../process/parts/authentication';
import type { Background } from '../process/parts/background';
import { retrying } from '../process/work/background-work';

/**
 * Ends the browser's session, if there is one, and deletes the session's data in the browser (`acceptance.md` C4, C14,
 * D1). The session ends before the response; the audit event is recorded later, so that neither a failing event log nor
 * a table that cannot store the event prevents a sign-out.
 * @throws ProblemError 503 if the process cannot end the session; the browser then keeps its cookie
 */
export async function endBrowserSession(
  runtime: Pick<Charter, 'settings' | 'database'> &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Authentication, 'browserSessions'> &
    Pick<Background, 'backgroundWork' | 'deferred'>,
  request: IncomingMessage,
  response: Response,
): Promise<void> {
  const { database, browserSessions } = runtime;
  const { sessions } = database.people;
  const hash = browserSessions.sessionHashOf(request);
  const found = hash === undefined ? undefined : await sessions.find(hash);
  if (found && (await sessions.end(found.session.id, found.account.id))) await recordSignOut(runtime, request, found);
  browserSessions.clear(response);
  // `Clear-Site-Data` does not contain "cookies", because `clear` has just set new cookies.
  response.set('Clear-Site-Data', '"cache", "storage"');
}

async function recordSignOut(
  runtime: Pick<Charter, 'settings'> &
    Clock &
    Pick<Observability, 'logger'> &
    Pick<Background, 'backgroundWork' | 'deferred'>,
  request: IncomingMessage,
  { session, account }: AuthenticatedSession,
): Promise<void> {
  const { backgroundWork, deferred, logger, now, settings } = runtime;
  const { id } = account;
  // a second write of the record, after the answer to the first write was lost, has the same command id
  const context = { ...ownAccountContext(id, request, now()), command: secureRandom.uuid() };
  const fact = { type: 'SignedOut', data: { session: session.id } } as const;
  const record = () => deferred.add('audit', id, { account: id, fact, context });
  await record().catch(() => void backgroundWork.add('sign-out', id, retrying(record)));
  logger.info(
    {
      request: context.correlation,
      actor: { kind: context.actor.kind, id },
      address: clientAddressOf(request, settings),
      result: 'signed-out',
    },
    'a person signed out',
  );
}
