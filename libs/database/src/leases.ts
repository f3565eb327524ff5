import { momentAt } from '@charter/decider';
import type { Lease } from '@charter/projections';
import type { RawBuilder } from 'kysely';
import type { Tables } from './schema/schema';

export type LeaseOptions = Readonly<{
  /** The name of the holder, such as a random id. The name is unique for each process and lease. */
  holder: string;
  /** The number of milliseconds until a lease expires, unless the holder renews it. */
  lasts?: number;
  now?: () => number;
}>;

/** The clock by which leases expire. */
export type LeaseClock = Readonly<{
  /** The moment `later` milliseconds from now, in the form that the table stores and compares. */
  moment: (later: number) => string | RawBuilder<string>;
  /** The time in milliseconds, with which a holder computes how long it still holds a lease. */
  now: () => number;
}>;

/** The clock of the process that holds the lease. */
export const processClock = (now: () => number = Date.now): LeaseClock => ({
  moment: (later) => momentAt(now() + later),
  now,
});

/**
 * An exclusive right that one holder has at a time, until the lease expires. The holder starts its timer before it
 * sends the request, so its timer ends before the lease expires for other processes.
 */
export function leaseOf(
  tables: Tables,
  name: string,
  { holder, lasts }: Readonly<{ holder: string; lasts: number }>,
  { moment, now }: LeaseClock,
): Lease {
  let until = -Infinity;

  /** One statement checks and takes the lease, so that only one of two simultaneous requests gets the lease. */
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
      if (until - at > (lasts * 2) / 3) return true; // renews the lease after a third of its time, and not at each call
      until = -Infinity;
      if (await ask()) until = at + lasts;
      return until > now(); // false if the process was frozen during the request; the next call tries again
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
