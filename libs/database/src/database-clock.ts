import { type RawBuilder, sql } from 'kysely';
import { isOnServer } from './dialect';
import { processClock } from './leases';
import { serverClock } from './postgres/clock';
import type { Tables, DatabaseTransaction } from './schema/schema';

/**
 * The moment `later` milliseconds from now, in the format of the tables. Leases use the same clock: the server's clock
 * for PostgreSQL, the machine's clock for SQLite.
 */
export function databaseMoment(tables: Tables | DatabaseTransaction, later = 0): RawBuilder<string> {
  const moment = (isOnServer(tables) ? serverClock : processClock()).moment(later);
  return typeof moment === 'string' ? sql`${moment}` : moment;
}

/** The current time in milliseconds since 1970, by the same clock as `databaseMoment`. */
export async function databaseNow(tables: Tables): Promise<number> {
  const { rows } = await sql<{ now: string }>`select ${databaseMoment(tables)} as now`.execute(tables);
  return Date.parse(rows[0]!.now);
}
