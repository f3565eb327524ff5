import type { Charter } from '@charter/application';

/** The clock of the process. Code that answers requests reads the time only from this clock. */
export type Clock = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number;
}>;

/** Measures how long something takes or lasts. */
export type Stopwatch = Readonly<{
  /** The number of milliseconds since a fixed moment. Unlike `Clock.now`, this number never decreases. */
  elapsed: () => number;
}>;

export const systemClock: Clock & Stopwatch = { now: Date.now, elapsed: () => performance.now() };
export const CLOCK: unique symbol = Symbol('Clock');

/**
 * The time of the database server, so that all processes agree on when stored work is due. If there is no database
 * server, the time of this process.
 */
export const databaseTime =
  ({ database, now }: Pick<Charter, 'database'> & Clock) =>
  (): Promise<number> =>
    database.now?.() ?? Promise.resolve(now());
