import { momentAt } from '@charter/decider';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema, Tables } from '../schema/schema';
import { batchWrites } from '../transactions/write-batching';

/** Work that a request has stored before its answer, and that a process does later. */
export type DeferredEntry = Readonly<{
  id: string;
  kind: string;
  /** The data of the work, encrypted; only the session secret decrypts it. */
  sealed: string;
}>;

/**
 * Deferred work of all processes. A process deletes an entry only after its work is done, so the work may happen twice.
 */
export type DeferredWorkStore = Readonly<{
  /** The entry is on disk when the promise resolves. */
  add(entry: DeferredEntry, now: number): Promise<void>;
  /**
   * Takes due entries, and postpones these entries until `until`, so that no other process takes them meanwhile.
   * Returns either new entries, or entries that an earlier call returned together.
   */
  take(now: number, until: number, limit: number): Promise<readonly DeferredEntry[]>;
  done(ids: readonly string[]): Promise<void>;
  /** Those of the ids whose work is not done yet. */
  remaining(ids: readonly string[]): Promise<ReadonlySet<string>>;
  waiting(): Promise<number>;
}>;

export function deferredWorkIn(tables: Tables): DeferredWorkStore {
  type NewEntry = Readonly<{ entry: DeferredEntry; now: number }>;
  const add = batchWrites(async (added: readonly NewEntry[]) => {
    const rows = added.map(({ entry, now }) => ({ ...entry, attempts: 0, next: momentAt(now) }));
    await tables.insertInto('deferred_work').values(rows).execute();
    return added.map(() => undefined);
  }, BATCH_MAX);
  return {
    add: (entry, now) => add({ entry, now }),
    take: (now, until, limit) => {
      const due = tables.selectFrom('deferred_work').where(isDue(now)).orderBy('next').orderBy('id');
      const oldest = due.select('id').where(claim, '=', due.select(claim.as('claim')).limit(1));
      return tables
        .updateTable('deferred_work')
        .set(({ eb }) => ({ attempts: eb('attempts', '+', 1), next: momentAt(until) }))
        .where('id', 'in', oldest.limit(limit))
        .where(isDue(now)) // PostgreSQL checks this condition again after it has waited for another process
        .returning(['id', 'kind', 'sealed'])
        .execute();
    },
    done: async (ids) => {
      await tables.deleteFrom('deferred_work').where('id', 'in', ids).execute();
    },
    remaining: async (ids) => {
      const found = new Set<string>();
      for (let start = 0; start < ids.length; start += IDS_MAX) {
        const chunk = ids.slice(start, start + IDS_MAX);
        const rows = await tables.selectFrom('deferred_work').select('id').where('id', 'in', chunk).execute();
        for (const { id } of rows) found.add(id);
      }
      return found;
    },
    waiting: async () => {
      const { count } = await tables
        .selectFrom('deferred_work')
        .select(({ fn }) => fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
}

/** The maximum number of callers whose entries share one transaction. */
const BATCH_MAX = 128;

/** The maximum number of ids in one query. */
const IDS_MAX = 500;

/**
 * The condition for work whose next attempt is due. The first attempt is due at once: the clock may have been set back
 * after the work was stored, and `next` would then delay the first attempt.
 */
const isDue = (now: number) => (builder: ExpressionBuilder<Schema, 'deferred_work'>) =>
  builder.or([builder('attempts', '=', 0), builder('next', '<=', momentAt(now))]);

/** The same for all new entries, and for all entries that one call of `take` has postponed. */
const claim = sql<string>`case when attempts = 0 then '' else next end`;
