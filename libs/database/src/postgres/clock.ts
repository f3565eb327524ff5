import { sql } from 'kysely';
import type { LeaseClock } from '../leases';

/** The server's clock, which all processes share. A holder counts with a monotonic clock. */
export const serverClock: LeaseClock = {
  // The format of all stored moments. `clock_timestamp`, because a statement may have waited for a lock.
  moment: (later) =>
    sql<string>`to_char((clock_timestamp() + ${later} * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  now: () => performance.now(),
};
