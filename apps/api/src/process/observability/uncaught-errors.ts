import type { Logger } from 'pino';
import type { Metrics } from './metrics';
import type { Reporting } from './reporting';

type Needs = Readonly<{
  logger: Pick<Logger, 'error' | 'fatal'>;
  counts: Pick<Metrics, 'unhandled'>;
  reporting: Pick<Reporting, 'report'>;
  /** Ends the process in good order, as far as that still works, with a status that is not 0. */
  end: () => void;
}>;

/**
 * What nobody caught is logged, counted and reported (`acceptance.md` T5), and then
 * - a promise that failed while nobody waited for it: we go on. What it was to do is undone or repeated by others, since
 *   whatever matters is in the stores; ending would let one lost promise stop everybody.
 * - an exception: code stopped in the middle of something, so nothing in memory can be trusted. The process ends, and whoever
 *   runs it starts it again; what was acknowledged is on disk.
 */
export function handleUncaughtErrors(
  events: Pick<NodeJS.EventEmitter, 'on'>,
  { logger, counts, reporting, end }: Needs,
): void {
  events.on('unhandledRejection', (why: unknown) => {
    counts.unhandled('rejection');
    reporting.report(why, { kind: 'rejection' });
    logger.error({ err: why }, 'a promise failed and nobody waited for it');
  });
  events.on('uncaughtException', (why: unknown) => {
    counts.unhandled('exception');
    reporting.report(why, { kind: 'exception' });
    logger.fatal({ err: why }, 'an exception was caught by nobody: the process ends');
    end();
  });
}
