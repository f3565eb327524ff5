import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type Moment, momentAt } from '@charter/decider';
import type { Tables } from './schema/schema';

/**
 * Whether a further attempt is allowed; `retryAfter` is the number of whole seconds to wait, 0 if the attempt is
 * allowed. `ends` is the end of the time window in which the attempt was counted.
 */
type RateLimitDecision = Readonly<{ allowed: boolean; retryAfter: number; ends: Moment }>;

/** Counts attempts for the rate limits. The counts survive restarts, and all processes share them. */
export type RateLimitCounters = Readonly<{
  /**
   * Counts one attempt in a bucket: all attempts in one bucket share a limit. The process counts the attempt before it
   * handles the request. The first attempt begins a time window. If the clock was set back, a stored window may begin
   * in the future. The next attempt then begins a new window.
   */
  count(bucket: string, windowSeconds: number, limit: number, now: number): Promise<RateLimitDecision>;
  /**
   * Removes a successful attempt from the count, because only failures count. `ends` is the end of the attempt's
   * window. If a later window has begun, its count does not contain the attempt, so the call changes nothing.
   */
  takeBack(bucket: string, ends: Moment): Promise<void>;
  /** Deletes the count of a bucket. */
  clear(bucket: string): Promise<void>;
  /** Deletes windows that have ended; returns their number. */
  sweep(now: number): Promise<number>;
}>;

export function rateLimitCountersIn(tables: Tables): RateLimitCounters {
  return {
    count: async (bucket, windowSeconds, limit, now) => {
      const began = { count: 1, ends: momentAt(now + windowSeconds * 1000) };
      const counted = await tables
        .insertInto('attempts')
        .values({ bucket, ...began })
        .onConflict((same) =>
          same.column('bucket').doUpdateSet(({ eb, or, ref }) => {
            const latest = momentAt(now + windowSeconds * 1000 + CLOCK_DIFFERENCE_MS);
            const over = or([eb('attempts.ends', '<=', momentAt(now)), eb('attempts.ends', '>', latest)]);
            return {
              count: eb
                .case()
                .when(over)
                .then(1)
                .else(eb('attempts.count', '+', 1))
                .end(),
              ends: eb.case().when(over).then(began.ends).else(ref('attempts.ends')).end(),
            };
          }),
        )
        .returning(['count', 'ends'])
        .executeTakeFirstOrThrow();
      return verdict(counted.count <= limit, counted.ends, now);
    },
    takeBack: async (bucket, ends) => {
      await tables
        .updateTable('attempts')
        .set(({ eb }) => ({ count: eb('count', '-', 1) }))
        .where('bucket', '=', bucket)
        .where('ends', '=', ends)
        .where('count', '>', 0)
        .execute();
    },
    clear: async (bucket) => {
      await tables.deleteFrom('attempts').where('bucket', '=', bucket).execute();
    },
    sweep: async (now) => {
      const ended = tables.selectFrom('attempts').select('bucket').where('ends', '<=', momentAt(now));
      const page = ended.orderBy('ends').limit(SWEPT_MAX);
      for (let total = 0; ;) {
        const { numDeletedRows } = await tables
          .deleteFrom('attempts')
          .where('bucket', 'in', page)
          .where('ends', '<=', momentAt(now)) // a new window may have replaced the ended window meanwhile
          .executeTakeFirst();
        total += Number(numDeletedRows);
        if (numDeletedRows === 0n) return total;
        await yieldToEventLoop();
      }
    },
  };
}

/**
 * The maximum number of windows that one statement deletes. A longer statement would delay the requests of a process
 * with an embedded database, and could exceed the time limit of PostgreSQL.
 */
const SWEPT_MAX = 2_000;

/**
 * The assumed maximum difference, in milliseconds, between the clocks of two processes. A window that begins further in
 * the future shows that the clock was set back.
 */
const CLOCK_DIFFERENCE_MS = 60_000;

const verdict = (allowed: boolean, ends: Moment, now: number): RateLimitDecision => ({
  ...{ allowed, ends },
  retryAfter: allowed ? 0 : Math.max(1, Math.ceil((Date.parse(ends) - now) / 1000)),
});
