import type { Database } from '@charter/database';
import { EMPTY_LOG_POSITION, type EventLog, type Position } from '@charter/event-log';
import { type Lag, lagMonitor } from '@charter/projections';
import { READS_VERSION, readerPrefixes, readsCheckpointIn } from './project-reads';

/** The status of the list of readers. The position is undefined until a process projects the list. */
export type ReadsStatus = Readonly<{ version: number; position: Position | undefined; lag: Lag }>;

/** Reads how far the list of readers lags behind the log. @param now milliseconds since 1970 */
export async function readReadsStatus(
  { log, database }: Readonly<{ log: EventLog; database: Pick<Database, 'historyReads'> }>,
  now: number,
): Promise<ReadsStatus> {
  const checkpoint = await readsCheckpointIn(log, await database.historyReads.progress());
  const monitor = lagMonitor(log, readerPrefixes);
  await monitor.measure(checkpoint);
  const position = checkpoint?.position;
  return { version: READS_VERSION, position, lag: monitor.at(position ?? EMPTY_LOG_POSITION, now) };
}
