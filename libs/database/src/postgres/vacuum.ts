import { sql } from 'kysely';
import type { Tables } from '../schema/schema';

/**
 * Removes erased rows in the background. `end` prevents further tries; a vacuum that is running ends with its
 * connection.
 */
export type Vacuuming = Readonly<{ start: () => void; end: () => void }>;

/**
 * Vacuums the tables of people, so that the server soon removes erased rows from its files. A vacuum that fails, for
 * instance because another session locks a table, is repeated until it succeeds. All calls during a run share one
 * further run.
 */
export function vacuuming(tables: Tables): Vacuuming {
  let [isAsked, isBusy, hasEnded] = [false, false, false];
  let retry: NodeJS.Timeout | undefined;
  const run = async () => {
    isBusy = true;
    while (isAsked && !hasEnded) {
      isAsked = false;
      if (await vacuumPeople(tables)) continue;
      isAsked = true;
      break;
    }
    isBusy = false;
    if (isAsked && !hasEnded) retry = setTimeout(() => void run(), RETRY_MS).unref();
  };
  return {
    start: () => {
      isAsked = true;
      clearTimeout(retry);
      if (!isBusy) void run();
    },
    end: () => {
      hasEnded = true;
      clearTimeout(retry);
    },
  };
}

/**
 * Removes erased rows from tables and indexes, where old row versions otherwise stay until the server's autovacuum.
 * Runs outside of transactions. Returns whether the vacuum succeeded.
 */
const vacuumPeople = (tables: Tables): Promise<boolean> =>
  sql`vacuum (index_cleanup on) accounts, account_subjects, sessions, links, mails, introductions, api_keys,
    billing_messages`
    .execute(tables)
    .then(
      () => true,
      () => false,
    );

/** Milliseconds. */
const RETRY_MS = 2_000;
