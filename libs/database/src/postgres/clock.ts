import { sql } from 'kysely';
import type { LeaseClock } from '../leases';

/**
 * The server's clock decides when a lease expires, because all processes share this clock. A holder uses a monotonic
 * clock to measure how long it still holds its lease.
 */
export const serverClock: LeaseClock = {
  // The format of all stored moments. Uses `clock_timestamp` instead of `now()`, because a statement may have waited
  // for a lock since its transaction began.
  moment: (later) =>
    sql<string>`to_char((clock_timestamp() + ${later} * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  now: () => performance.now(),
};
