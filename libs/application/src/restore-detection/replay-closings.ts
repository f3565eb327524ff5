import type { Database } from '@charter/database';
import type { EventLog } from '@charter/event-log';
import { organizationIdOf } from '@charter/organization';
import { CLOSINGS_BOOKMARK, eventsSinceBookmark } from './events-since';

type Stores = Readonly<{ log: EventLog; database: Pick<Database, 'marks'> }>;

/**
 * Calls `finish` for each organization that was closed since the last replay. The tables may contain data that the
 * closing had to remove: a process may have crashed, or older tables may have been restored (`acceptance.md` U10).
 * @param finish removes the data if the organization is still closed; false if the organization's history is
 * unreadable, so that the next replay begins with the same events
 * @param stopping ends the replay; the next replay then begins with the same events
 * @throws the errors of `finish`; the next replay then begins with the same events
 */
export async function replayClosings(
  stores: Stores,
  finish: (organization: string) => Promise<boolean>,
  stopping: () => boolean,
): Promise<void> {
  const { events, moveBookmark } = await eventsSinceBookmark(stores, Number.POSITIVE_INFINITY, CLOSINGS_BOOKMARK);
  const closed = new Set<string>();
  for await (const { type, stream } of events) {
    if (stopping()) return;
    if (type === 'OrganizationClosed') closed.add(organizationIdOf(stream));
  }
  let areAllFinished = true;
  for (const organization of closed) {
    if (stopping()) return;
    areAllFinished = (await finish(organization)) && areAllFinished;
  }
  if (areAllFinished) await moveBookmark();
}
