import type { Logger } from 'pino';
import type { Metrics } from './metrics';
import type { Reporting } from './reporting';

type Needs = Readonly<{
  logger: Pick<Logger, 'error' | 'fatal'>;
  counts: Pick<Metrics, 'unhandled'>;
  reporting: Pick<Reporting, 'report'>;
  /** Stops the process with an exit status other than 0, after the steps of the shutdown if possible. */
  end: () => void;
}>;

/**
 * Logs, counts and reports errors that no code caught (`acceptance.md` T5).
 * - After a promise that was rejected without a handler, the process continues: the stores contain all acknowledged
 * data, and stopping would affect all callers.
 * - After an exception that no code caught, the process ends, because its state in memory may be wrong. The process
 * supervisor starts the process again; acknowledged data is on disk.
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
