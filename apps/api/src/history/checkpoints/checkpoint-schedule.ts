import { setTimeout as pause } from 'node:timers/promises';
import {
  SignedHeadsInvalid,
  SignedMeanwhile,
  SigningRefused,
  openOwnCheckpoint,
  signWholeLog,
  type Charter,
} from '@charter/application';
import { momentAt } from '@charter/decider';
import type { Clock } from '../../process/parts/clock';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';
import type { OrganizationAccess } from '../../process/parts/organization-access';

/** The interval, in milliseconds, at which the process checks whether a checkpoint is due. */
const CHECK_MS = 30_000;
/**
 * The interval, in milliseconds, at which the process tries again after it has refused to sign, and logs the refusal
 * again.
 */
const AGAIN_MS = 3_600_000;

/**
 * After this number of events, the verification pauses for `REST_MS`. With the pauses, the verification uses at most
 * about a tenth of a processor.
 */
const AT_ONCE = 100;
const REST_MS = 50;

type Needs = Pick<Charter, 'log' | 'database' | 'signer' | 'settings'> &
  Clock &
  Lifecycle &
  Pick<Observability, 'logger' | 'counts'> &
  Pick<OrganizationAccess, 'projection'>;

/**
 * In the projecting process, signs a checkpoint that covers all streams when CHECKPOINT_EVERY has passed and there are
 * new events (`event-log.md` E). The process also logs the signed note, because a person who can write the tables could
 * change the note there.
 */
export function scheduleCheckpoints(runtime: Needs): { stop: () => void; signIfDue: () => Promise<void> } {
  let busy = false;
  let wait = { since: 0, ms: 0 };
  const waitFor = (ms: number) => (wait = { since: runtime.now(), ms });
  const signIfDue = async () => {
    if (busy || runtime.projection.now().phase !== 'running' || !isWaitOver(wait.ms, wait.since, runtime.now())) return;
    busy = true;
    try {
      if ((await isDue(runtime)) && !(await sign(runtime))) waitFor(await waitWhenUnchanged(runtime));
    } catch (error) {
      if (!runtime.stopping()) waitFor(alarm(runtime, error));
    } finally {
      busy = false;
    }
  };
  const timer = setInterval(() => void signIfDue(), CHECK_MS).unref();
  return { stop: () => clearInterval(timer), signIfDue };
}

/** Whether `ms` have passed. True also if `since` is in the future, because the clock was ahead and was corrected. */
const isWaitOver = (ms: number, since: number, now: number): boolean => now - since >= ms || now < since;

async function isDue({ database, signer, settings, now }: Needs): Promise<boolean> {
  const note = await database.signedHeads.note();
  if (note === undefined) return true;
  return isWaitOver(settings.checkpointEvery, Date.parse(openOwnCheckpoint(signer, note).at), now());
}

/**
 * After a check that found no new event, returns for how many milliseconds the process does not read the log again. If
 * no checkpoint was ever signed, returns 0, so that the next check reads the log.
 */
const waitWhenUnchanged = async ({ database, settings }: Needs): Promise<number> =>
  (await database.signedHeads.note()) === undefined ? 0 : settings.checkpointEvery;

async function sign(runtime: Needs): Promise<boolean> {
  const signed = await signWholeLog(runtime, {
    at: momentAt(runtime.now()),
    onlyIfGrown: true,
    onEvents: async (events) => {
      if (runtime.stopping()) throw new Error('The service is stopping.');
      if (events % AT_ONCE === 0) await pause(REST_MS, undefined, { ref: false });
    },
  });
  if (signed) runtime.logger.info({ ...signed.checkpoint, note: signed.note }, 'a checkpoint was signed');
  return signed !== undefined;
}

/**
 * Counts and logs a failed check, but not if another process has signed meanwhile. Returns for how many milliseconds
 * the process makes no further check; 0 if the next check may run at once. If a signed event is missing, the log was
 * shortened or an older log was restored.
 */
function alarm({ logger, counts }: Needs, error: unknown): number {
  if (error instanceof SignedMeanwhile) return 0; // another process has signed the checkpoint
  counts.trouble('checkpoint');
  const why = error instanceof Error ? error.message : String(error);
  if (!(error instanceof SigningRefused) && !(error instanceof SignedHeadsInvalid)) {
    logger.warn({ why }, 'a checkpoint could not be signed yet');
    return 0;
  }
  logger.error({ why }, 'a checkpoint was not signed');
  return AGAIN_MS;
}
