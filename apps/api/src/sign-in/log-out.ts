import type { IncomingMessage } from 'node:http';
import type { SignedIn } from '@charter/identity';
import type { Response } from 'express';
import { again } from '../process/background-work';
import { addressOf } from '../http/input/client-address';
import { fromStore } from '../http/problems/problem';
import { byThemselves } from '../account/own-account';
import type { Runtime } from '../process/runtime';

/**
 * Ends this browser's session, if it has one, and leaves nothing of it behind (`acceptance.md` C4, C14, D1). Whoever leaves
 * is never kept in because history cannot be written: that it ended is recorded when the answer is out.
 * @throws Stop 503 when it cannot be ended; then the browser keeps its cookie
 */
export async function logOut(runtime: Runtime, request: IncomingMessage, response: Response): Promise<void> {
  const { documents, visitors } = runtime;
  const { sessions } = documents.people;
  const visitor = visitors.visitorOf(request);
  const found = visitor === undefined ? undefined : await fromStore(sessions.find(visitor));
  if (found && (await fromStore(sessions.end(found.session.id, found.account.id)))) tell(runtime, request, found);
  visitors.forget(response);
  response.set('Clear-Site-Data', '"cache", "storage"'); // the cookies are new ones already
}

function tell(runtime: Runtime, request: IncomingMessage, { session, account }: SignedIn): void {
  const { afterwards, trail, logger, now, settings } = runtime;
  const { id } = account;
  const by = byThemselves(id, request, now());
  const fact = { type: 'SignedOut', data: { session: session.id } } as const;
  afterwards.add(
    'the end of a session was not recorded',
    again(() => trail.record({ account: id }, fact, by)),
  );
  logger.info(
    {
      request: by.correlation,
      actor: { kind: by.actor.kind, id },
      address: addressOf(request, settings),
      result: 'signed-out',
    },
    'somebody signed out',
  );
}
