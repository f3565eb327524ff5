import { sql } from 'kysely';
import type { Schema, Tables, DatabaseTransaction } from '../schema/schema';
import { batchWrites } from '../transactions/write-batching';
import { transact } from '../transactions/transact';
import type { BillingMessage, MessageState } from './billing-message';

type Row = Schema['billing_messages'];
type Named = Pick<BillingMessage, 'provider' | 'id'>;
/** `from`: the states in which it may be; in another one nothing changes. */
type Change = Readonly<{
  named: Named;
  to: Partial<Row> | 'tried once more';
  from?: readonly MessageState[] | undefined;
}>;

/** A message that comes, unless it came before; or what is known of one from now on. */
export type InboxWrite = Readonly<{ comes: Row }> | Change;

/** Writes, many in one commit; on disk when this resolves, which says whether the message is new, or has changed. */
export const inboxWrites = (tables: Tables) =>
  batchWrites(
    (writes: readonly InboxWrite[]) =>
      // One alone is one statement: no lock that others wait for is held between two ways to a server.
      writes.length === 1 ? writeAll(tables, writes) : transact(tables, (within) => writeAll(within, writes)),
    TOGETHER_MAX,
  );

async function writeAll(within: Tables | DatabaseTransaction, writes: readonly InboxWrite[]): Promise<boolean[]> {
  const coming = new Map<string, Row>();
  for (const write of writes)
    if ('comes' in write && !coming.has(keyOf(write.comes))) coming.set(keyOf(write.comes), write.comes);
  const fresh = await storeNew(within, [...coming.values()]);
  const changes = writes.filter((write) => 'to' in write);
  const changed = new Set<Change>();
  for (const same of Map.groupBy(changes, whatOf).values())
    for (const one of await change(within, same)) changed.add(one);
  return writes.map((write) => ('comes' in write ? fresh.has(write.comes) : changed.has(write)));
}

async function storeNew(within: Tables | DatabaseTransaction, rows: readonly Row[]): Promise<ReadonlySet<Row>> {
  if (rows.length === 0) return new Set();
  const stored = await within
    .insertInto('billing_messages')
    .values(rows.toSorted(byKey)) // one order of locks, against deadlocks
    .onConflict((same) => same.columns(['provider', 'id']).doNothing())
    .returning(['provider', 'id'])
    .execute();
  const fresh = new Set(stored.map(keyOf));
  return new Set(rows.filter((row) => fresh.has(keyOf(row))));
}

async function change(within: Tables | DatabaseTransaction, changes: readonly Change[]): Promise<readonly Change[]> {
  const names = changes.map(({ named: { provider, id } }) => sql`(${provider}, ${id})`);
  const { to, from } = changes.at(-1)!; // they may differ in the millisecond in which they were settled
  const its = within
    .updateTable('billing_messages')
    .set((row) => (to === 'tried once more' ? { attempts: row('attempts', '+', 1) } : to))
    .where(sql<boolean>`(provider, id) in (values ${sql.join(names)})`);
  const wanted = from ? its.where('state', 'in', from) : its;
  const found = new Set((await wanted.returning(['provider', 'id']).execute()).map(keyOf));
  return changes.filter(({ named }) => found.has(keyOf(named)));
}

const whatOf = ({ to }: Change): string =>
  JSON.stringify(to, (name, value: unknown) => (name === 'settled' ? '' : value));
const keyOf = ({ provider, id }: Named): string => JSON.stringify([provider, id]);
const byKey = (one: Named, other: Named): number => (keyOf(one) < keyOf(other) ? -1 : 1);

/** Writes in one transaction. */
const TOGETHER_MAX = 64;
