import type { Lease } from '@charter/projections';
import type { RawBuilder } from 'kysely';
import type { Tables } from './schema/schema';

export type LeaseOptions = Readonly<{
  /** The holder: unique for each process and lease, such as a random id. */
  holder: string;
  /** Milliseconds that a lease lasts without renewal. */
  lasts?: number;
  now?: () => number;
}>;

/** By which clock leases end. */
export type LeaseClock = Readonly<{
  /** So many milliseconds from now, as it is stored and compared. */
  moment: (later: number) => string | RawBuilder<string>;
  /** Milliseconds, by which a holder knows for how long a lease is still its own. */
  now: () => number;
}>;

/** The clock of the process that holds the lease. */
export const processClock = (now: () => number = Date.now): LeaseClock => ({
  moment: (later) => new Date(now() + later).toISOString(),
  now,
});

/**
 * A right that one holder has at a time, until it expires. A holder counts from before it asked, and so believes in it
 * for a shorter time than the others do.
 */
export function leaseOf(
  tables: Tables,
  name: string,
  { holder, lasts }: Readonly<{ holder: string; lasts: number }>,
  { moment, now }: LeaseClock,
): Lease {
  let until = -Infinity;

  /** One statement, so that of two who ask at once one gets it. */
  const ask = async () => {
    const mine = { holder, until: moment(lasts) };
    const { numInsertedOrUpdatedRows } = await tables
      .insertInto('leases')
      .values({ name, ...mine })
      .onConflict((same) =>
        same
          .column('name')
          .doUpdateSet(mine)
          .where(({ or, eb }) => or([eb('leases.holder', '=', holder), eb('leases.until', '<=', moment(0))])),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  };
  return {
    hold: async () => {
      const at = now();
      if (until - at > (lasts * 2) / 3) return true; // renewed in good time, but not each time
      until = -Infinity;
      if (await ask()) until = at + lasts;
      return until > now(); // a process that was frozen meanwhile asks again
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
        .where('until', '>', moment(0))
        .executeTakeFirst(),
  };
}
