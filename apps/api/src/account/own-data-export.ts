import type { Immutable, Moment } from '@charter/decider';
import { type Account, accountStream } from '@charter/identity';
import { accountMembershipsOf, type Charter } from '@charter/application';
import type { z } from 'zod';
import type { OwnDataExport } from './account.answers';
import { printedEvent } from '../history/printed-event';

/**
 * All stored data about a person (`acceptance.md` U11), without passwords, tokens and their hashes. The tables in
 * `personal-data.md` list the stored data.
 * The texts are one JSON object, because the activity of years may be too long for one string.
 * @param gone aborts the read when the client disconnects
 */
export async function* ownDataTexts(
  runtime: Pick<Charter, 'log' | 'database' | 'view' | 'organizations'>,
  account: Account,
  at: Moment,
  gone: AbortSignal,
): AsyncGenerator<string> {
  const { people } = runtime.database;
  const { passwordHash, singleKeys: keys, ...shown } = account;
  const sessions = await people.sessions.listOf(account.id, '');
  const { formerOrganizations, ...holdings } = await people.holdingsOf(account.id);
  const organizations = await accountMembershipsOf(runtime, account.id);
  const head: Immutable<Omit<z.infer<typeof OwnDataExport>, 'activity'>> = {
    at,
    account: { ...shown, keys, hasPassword: passwordHash !== null },
    sessions: sessions.map(({ id, method, organization, agent, began, used }) => {
      return { id, method, organization, agent, began, used };
    }),
    ...holdings,
    organizations,
    // The person can be a member again.
    formerOrganizations: formerOrganizations.filter((former) => !organizations.some(({ id }) => id === former)),
  };
  yield `${JSON.stringify(head).slice(0, -1)},"activity":[`;
  let separator = '';
  for await (const event of runtime.log.readStream(accountStream(account.id), { absent: 'empty' })) {
    gone.throwIfAborted();
    yield `${separator}${JSON.stringify(printedEvent(event))}`;
    separator = ',';
  }
  yield ']}';
}
