import type { Logger } from 'pino';
import type { Metrics } from './metrics';
import type { Reporting } from './reporting';

type Needs = Readonly<{
  logger: Pick<Logger, 'error' | 'fatal'>;
  counts: Pick<Metrics, 'unhandled'>;
  reporting: Pick<Reporting, 'report'>;
  /** Stops the process in order if possible. Its exit status is not 0. */
  end: () => void;
}>;

/**
 * Logs, counts and reports uncaught failures (`acceptance.md` T5).
 * - After a rejected promise without a handler the process continues: the stores hold everything that matters, and
 * ending
 *   would stop all callers for a single lost promise.
 * - After an uncaught exception the process ends: the state in memory cannot be trusted. The supervisor starts it
 * again, and
 *   acknowledged data is on disk.
 */
export function handleUncaughtErrors(
  events: Pick<NodeJS.EventEmitter, 'on'>,
  { logger, counts, reporting, end }: Needs,
): void {
  events.on('unhandledRejection', (why: unknown) => {
    counts.unhandled('rejection');
    reporting.report(why, { kind: 'rejection' });
    logger.error({ err: why }, 'a promise was rejected without a handler');
  });
  events.on('uncaughtException', (why: unknown) => {
    counts.unhandled('exception');
    reporting.report(why, { kind: 'exception' });
    logger.fatal({ err: why }, 'an exception was not caught: the process ends');
    end();
  });
}
