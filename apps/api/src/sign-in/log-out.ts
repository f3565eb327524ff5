import type { IncomingMessage } from 'node:http';
import type { AuthenticatedSession } from '@charter/identity';
import type { Response } from 'express';
import { retrying } from '../process/background-work';
import { clientAddressOf } from '../http/input/client-address';
import { orUnavailable } from '../http/problems/problem';
import { ownAccountContext } from '../account/own-account';
import type { Runtime } from '../process/runtime';

/**
 * Ends this browser's session, if it has one, and leaves nothing of it behind (`acceptance.md` C4, C14, D1). Whoever leaves
 * is never kept in because history cannot be written: that it ended is recorded when the answer is out.
 * @throws Stop 503 when it cannot be ended; then the browser keeps its cookie
 */
export async function endBrowserSession(runtime: Runtime, request: IncomingMessage, response: Response): Promise<void> {
  const { documents, browserSessions } = runtime;
  const { sessions } = documents.people;
  const visitor = browserSessions.sessionHashOf(request);
  const found = visitor === undefined ? undefined : await orUnavailable(sessions.find(visitor));
  if (found && (await orUnavailable(sessions.end(found.session.id, found.account.id)))) tell(runtime, request, found);
  browserSessions.clear(response);
  response.set('Clear-Site-Data', '"cache", "storage"'); // the cookies are new ones already
}

function tell(runtime: Runtime, request: IncomingMessage, { session, account }: AuthenticatedSession): void {
  const { backgroundWork, trail, logger, now, settings } = runtime;
  const { id } = account;
  const by = ownAccountContext(id, request, now());
  const fact = { type: 'SignedOut', data: { session: session.id } } as const;
  backgroundWork.add(
    'the end of a session was not recorded',
    retrying(() => trail.record({ account: id }, fact, by)),
  );
  logger.info(
    {
      request: by.correlation,
      actor: { kind: by.actor.kind, id },
      address: clientAddressOf(request, settings),
      result: 'signed-out',
    },
    'somebody signed out',
  );
}
