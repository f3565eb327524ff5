import type { Lease } from '@charter/event-log';
import { sql } from 'kysely';
import type { LeaseOptions } from '../leases';
import type { Tables } from '../schema';

/**
 * A right that one process has at a time. It ends by the clock of the database, which all of them share; a holder counts from
 * before it asked, by a clock that nobody sets, and so believes in it for a shorter time than the others do.
 */
export function leaseOnServer(tables: Tables, name: string, options: Omit<LeaseOptions, 'now'>): Lease {
  const { holder, lasts = LASTS } = options;
  let until = -Infinity;

  /** One statement, so that of two who ask at once one gets it. */
  const ask = async () => {
    const end = momentOnServer(lasts);
    const { numInsertedOrUpdatedRows } = await tables
      .insertInto('leases')
      .values({ name, holder, until: end })
      .onConflict((same) =>
        same
          .column('name')
          .doUpdateSet({ holder, until: end })
          .where(({ or, eb }) => or([eb('leases.holder', '=', holder), eb('leases.until', '<=', momentOnServer(0))])),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  };
  return {
    hold: async () => {
      const at = performance.now();
      if (until - at > (lasts * 2) / 3) return true; // renewed in good time, but not each time
      until = -Infinity;
      if (await ask()) until = at + lasts;
      return until > performance.now(); // who was frozen on the way asks again
    },
    release: async () => {
      until = -Infinity;
      await tables.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
    },
    held: () =>
      tables
        .selectFrom('leases')
        .select(['holder', 'until'])
        .where('name', '=', name)
        .where('until', '>', momentOnServer(0))
        .executeTakeFirst(),
  };
}

/** Milliseconds from now, written as all moments are. `clock_timestamp`, because a statement may have waited for a lock. */
const momentOnServer = (later: number) =>
  sql<string>`to_char((clock_timestamp() + ${later} * interval '1 millisecond') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Milliseconds; another process has taken over well within ten seconds after its holder was killed. */
const LASTS = 6_000;
