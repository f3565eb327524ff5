import { UnreadableStream } from '@charter/aggregates';
import {
  type Charter,
  hasBackupNote,
  removeBackupNote,
  replayClosings,
  replayErasures,
  replayAccountChanges,
  type ReplayedChanges,
} from '@charter/application';
import { mayHaveSeveralProcesses } from '@charter/settings';
import type { Logger } from 'pino';
import { finishClosing } from '../organizations/forget-closed';
import type { Clock } from './parts/clock';
import type { Lifecycle } from './parts/lifecycle';
import type { Observability } from './parts/observability';

/**
 * A recorded account change that is younger than this many milliseconds may still be in progress in another process.
 */
const UNDER_WAY_MS = 15_000;

/**
 * Repeats account changes that are in the log but not in the tables of people. Runs before the process answers
 * requests, projects or sends mails. An erased person thus stays erased after a restore of older tables
 * (`acceptance.md` U4, U8).
 */
export async function replayAccountChangesAtStart(
  charter: Charter,
  logger: Logger,
  now: number,
): Promise<ReplayedChanges> {
  const upTo = mayHaveSeveralProcesses(charter.settings) ? now - UNDER_WAY_MS : now;
  const isBackup = hasBackupNote(charter.settings);
  const followed = await replayAccountChanges(charter, now, { upTo, isBackup });
  removeBackupNote(charter.settings.data);
  const { unreadable, purgeFailed, ...counts } = followed;
  warnAboutCertificates(purgeFailed, logger);
  for (const event of unreadable)
    logger.error(
      event,
      'an event of an audit stream cannot be read, so its change was not repeated; charter verify --all names it',
    );
  if (followed.restored)
    logger.warn(
      counts,
      `${isBackup ? 'the server starts on a backup' : 'the tables of people are older than the log: ended sessions, keys and accounts were ended again'}; all people must sign in again, and waiting mails are marked as failed until an operator sends them again`,
    );
  else if (Object.values(counts).some(Boolean))
    logger.warn(counts, 'the tables lacked account changes that the log contains; Charter has repeated these changes');
  return followed;
}

/**
 * Repeats missing erasures at intervals, because a process may have crashed during an erasure, or older tables may have
 * been restored.
 */
export async function replayMissedErasures(
  runtime: Pick<Charter, 'log' | 'database' | 'certificates'> & Clock & Pick<Observability, 'logger'>,
): Promise<void> {
  const { logger, now } = runtime;
  const { erased, purgeFailed } = await replayErasures(runtime, now());
  if (erased > 0)
    logger.warn({ erased }, 'accounts that are erased in the log were still in the tables; they are erased now');
  warnAboutCertificates(purgeFailed, logger);
}

/**
 * Removes the data of organizations that were closed since the last replay, if the tables still contain it. An
 * unreadable history blocks only its own organization.
 */
export async function replayClosingsAtStart(
  runtime: Pick<Charter, 'log' | 'database' | 'organizations'> & Pick<Observability, 'logger'> & Lifecycle,
): Promise<void> {
  const { logger, stopping } = runtime;
  const finish = async (organization: string) => {
    try {
      await finishClosing(runtime, organization);
      return true;
    } catch (error) {
      if (!(error instanceof UnreadableStream)) throw error;
      logger.error(
        { organization },
        'data of a closed organization was not removed, because its history is unreadable; the next start tries again',
      );
      return false;
    }
  };
  await replayClosings(runtime, finish, stopping).catch((error: unknown) =>
    logger.warn(
      { why: String(error) },
      'data of closed organizations could not be removed; the next start tries again',
    ),
  );
}

function warnAboutCertificates(why: string | null, logger: Logger): void {
  if (why !== null) logger.warn({ why }, 'erased accounts have no certificate yet');
}
