import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { addressOf } from '../request/address';
import { requestIdOf } from '../request/guard';
import { fromStore } from '../request/problem';
import type { Runtime } from '../runtime';

/** Ends this browser's session, if it has one, and leaves nothing of it behind (`acceptance.md` C4, C14, D1). */
export async function logOut(runtime: Runtime, request: IncomingMessage, response: Response): Promise<void> {
  const { documents, visitors, trail, logger, now, settings } = runtime;
  const visitor = visitors.visitorOf(request);
  const found = visitor === undefined ? undefined : await fromStore(documents.people.sessions.find(visitor));
  visitors.forget(response);
  response.set('Clear-Site-Data', '"cache", "storage"'); // the cookies are new ones already
  if (!found || !(await fromStore(documents.people.sessions.end(found.session.id, found.account.id)))) return;

  const actor = { kind: 'account', id: found.account.id } as const;
  const correlation = requestIdOf(request);
  await trail.record(
    { account: found.account.id },
    { type: 'SignedOut', data: { session: found.session.id } },
    { actor: { ...actor, powers: [] }, at: new Date(now()).toISOString(), correlation },
  );
  logger.info(
    { request: correlation, actor, address: addressOf(request, settings), result: 'signed-out' },
    'somebody signed out',
  );
}
