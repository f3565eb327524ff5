import type { Moment } from '@charter/decider';
import { type Account, accountStream } from '@charter/identity';
import { accountMembershipsOf, type Charter } from '@charter/application';
import { printedEvent } from '../history/printed-event';

/**
 * All stored data about a person (`acceptance.md` U11), without passwords, tokens and their hashes. The tables in
 * `personal-data.md` list the stored data.
 * @param gone aborts the read when the client disconnects
 */
export async function exportOwnData(
  runtime: Pick<Charter, 'log' | 'database' | 'view' | 'organizations'>,
  account: Account,
  at: Moment,
  gone: AbortSignal,
) {
  const { people } = runtime.database;
  const { passwordHash, singleKeys: keys, ...shown } = account;
  const sessions = await people.sessions.listOf(account.id, '');
  const { formerOrganizations, ...holdings } = await people.holdingsOf(account.id);
  const organizations = await accountMembershipsOf(runtime, account.id);
  return {
    at,
    account: { ...shown, keys, hasPassword: passwordHash !== null },
    sessions: sessions.map(({ id, method, organization, agent, began, used }) => {
      return { id, method, organization, agent, began, used };
    }),
    ...holdings,
    organizations,
    // The person can be a member again.
    formerOrganizations: formerOrganizations.filter((former) => !organizations.some(({ id }) => id === former)),
    activity: await activityIn(runtime, account.id, gone),
  };
}

async function activityIn({ log }: Pick<Charter, 'log'>, account: string, gone: AbortSignal) {
  const events: ReturnType<typeof printedEvent>[] = [];
  for await (const event of log.readStream(accountStream(account), { absent: 'empty' })) {
    gone.throwIfAborted();
    events.push(printedEvent(event));
  }
  return events;
}
