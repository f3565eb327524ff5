import type { Lease } from '@charter/event-log';
import type { Tables } from './schema';

export type LeaseOptions = Readonly<{
  /** Who asks: unique for each process and lease, such as a random id. */
  holder: string;
  /** Milliseconds that a lease lasts if nobody renews it. */
  lasts?: number;
  now?: () => number;
}>;

/** A right that one holder has at a time, until it expires. Expiry is by the clocks of those who ask. */
export function leaseOf(tables: Tables, name: string, { holder, lasts = 10_000, now = Date.now }: LeaseOptions): Lease {
  let until = 0;

  /** One statement, so that of two who ask at once one gets it. */
  const ask = async (at: number) => {
    const mine = { holder, until: moment(at + lasts) };
    const { numInsertedOrUpdatedRows } = await tables
      .insertInto('leases')
      .values({ name, ...mine })
      .onConflict((same) =>
        same
          .column('name')
          .doUpdateSet(mine)
          .where(({ or, eb }) => or([eb('leases.holder', '=', holder), eb('leases.until', '<=', moment(at))])),
      )
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  };
  return {
    hold: async () => {
      const at = now();
      if (until - at > (lasts * 2) / 3) return true; // renewed in good time, but not each time
      until = (await ask(at)) ? at + lasts : 0;
      return until > 0;
    },
    release: async () => {
      until = 0;
      await tables.deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
    },
    held: () =>
      tables
        .selectFrom('leases')
        .select(['holder', 'until'])
        .where('name', '=', name)
        .where('until', '>', moment(now()))
        .executeTakeFirst(),
  };
}

const moment = (at: number) => new Date(at).toISOString();
