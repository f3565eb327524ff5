import { type Charter, replayErasures, replayAccountChanges, type ReplayedChanges } from '@charter/application';
import { mayHaveSeveralProcesses } from '@charter/settings';
import type { Logger } from 'pino';
import type { Runtime } from './runtime';

/** What was told less than so long ago may be under way in another process at this moment. */
const UNDER_WAY_MS = 15_000;

/**
 * Does again what the log knows and the tables of people do not, before anything is answered, projected or sent: who was
 * erased is erased, whatever copy of the tables was restored (`acceptance.md` U4, U8).
 */
export async function replayAccountChangesAtStart(
  charter: Charter,
  logger: Logger,
  now: number,
): Promise<ReplayedChanges> {
  const upTo = mayHaveSeveralProcesses(charter.settings) ? now - UNDER_WAY_MS : now;
  const followed = await replayAccountChanges(charter, now, upTo);
  if (followed.restored)
    logger.warn(
      followed,
      'the tables of people were older than the log: what it says has ended is ended, everybody signs in anew, and waiting mails are held until an operator tries them again',
    );
  return followed;
}

/** The erasures again, now and then: whoever died in the middle of one, or tables that were exchanged under the service. */
export async function replayMissedErasures(runtime: Runtime): Promise<void> {
  const { logger, now } = runtime;
  const erased = await replayErasures(runtime, now());
  if (erased > 0) logger.warn({ erased }, 'accounts that the log says are erased were not, and are now');
}
