import type { Logger } from 'pino';
import type { Metrics } from '../observability/metrics';
import type { Reporting } from '../observability/reporting';

/** The log, the metrics and the error reports of the process. */
export type Observability = Readonly<{
  logger: Logger;
  counts: Metrics;
  reporting: Reporting;
}>;
export const OBSERVABILITY: unique symbol = Symbol('Observability');
