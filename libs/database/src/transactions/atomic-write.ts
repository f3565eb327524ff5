import type { CompiledQuery } from 'kysely';
import type { Tables } from '../schema/schema';
import { transact } from './transact';

/**
 * Runs statements in one transaction. The first statement is a condition: unless it changes exactly one row, the
 * transaction is rolled back and the result is false.
 */
export type AtomicWrite = (queries: readonly CompiledQuery[]) => Promise<boolean>;

/** Creates an atomic write on the connection of these tables, for either database. */
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
