import type { CompiledQuery } from 'kysely';
import type { Tables } from '../schema/schema';
import { transact } from './transact';

/**
 * Runs statements that belong together: all of them, or none. The first one asks whether the others still hold: when it
 * changes no row, nothing is done, and the answer is false.
 */
export type AtomicWrite = (queries: readonly CompiledQuery[]) => Promise<boolean>;

/** In one transaction, on whatever database this is. */
export const inTransaction =
  (tables: Tables): AtomicWrite =>
  ([first, ...others]) =>
    transact(tables, async (within) => {
      if (!first) return true;
      const { numAffectedRows } = await within.executeQuery(first);
      if (numAffectedRows !== 1n) return false;
      for (const query of others) await within.executeQuery(query);
      return true;
    });
