import { type RawBuilder, sql } from 'kysely';
import { isOnServer } from './dialect';
import { processClock } from './leases';
import { serverClock } from './postgres/clock';
import type { Tables, DatabaseTransaction } from './schema/schema';

/**
 * The moment so many milliseconds from now, as it is stored and compared. It is of the clock by which leases end: a
 * server's own, whatever the clocks of its processes say; a file is used by the processes of one machine.
 */
export function databaseMoment(tables: Tables | DatabaseTransaction, later = 0): RawBuilder<string> {
  const moment = (isOnServer(tables) ? serverClock : processClock()).moment(later);
  return typeof moment === 'string' ? sql`${moment}` : moment;
}

/** Milliseconds since 1970 by that clock. */
export async function databaseNow(tables: Tables): Promise<number> {
  const { rows } = await sql<{ now: string }>`select ${databaseMoment(tables)} as now`.execute(tables);
  return Date.parse(rows[0]!.now);
}
