import type { ProjectionOptions } from '@charter/projections';
import type { Logger } from 'pino';
import type { Metrics } from './metrics';

/**
 * Alarms of a projection for operators. Counts and logs each parked stream, each time the read model falls behind, and
 * each failure after which the projection retries.
 */
export const alarmsTo = (
  counts: Metrics,
  logger: Logger,
): Required<Pick<ProjectionOptions, 'alarm' | 'onLate' | 'onTrouble'>> => ({
  alarm: ({ event, why, attempts, view }) => {
    counts.parked(view);
    const { stream, revision, position, type } = event;
    const at = { view, stream, revision: String(revision), position, type, attempts };
    logger.error({ ...at, why: String(why) }, 'a stream was parked');
  },
  onLate: (isLate, lag) => {
    if (isLate) counts.late();
    if (isLate) logger.error({ lagSeconds: lag.seconds, lagEvents: lag.events }, 'the read model is late');
    else logger.info('the read model has caught up');
  },
  onTrouble: (why) => {
    counts.trouble('projection');
    logger.warn({ why: String(why) }, 'the projection retries after a failure');
  },
});
