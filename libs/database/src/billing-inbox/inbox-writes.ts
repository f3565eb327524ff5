import { sql } from 'kysely';
import type { Schema, Tables, DatabaseTransaction } from '../schema/schema';
import { batchWrites } from '../transactions/write-batching';
import { transact } from '../transactions/transact';
import type { BillingMessage, MessageState } from './billing-message';

type Row = Schema['billing_messages'];
type Named = Pick<BillingMessage, 'provider' | 'id'>;
/**
 * A change of a stored message. If `from` is set, the change applies only to a message in one of the states in `from`.
 * If `factBefore` is set, the change applies only to a message with this fact.
 */
type Change = Readonly<{
  named: Named;
  to: Partial<Row> | 'tried once more';
  from?: readonly MessageState[] | undefined;
  factBefore?: string | null;
}>;

/** A received message, which the inbox stores only if the message is new; or a change of a stored message. */
export type InboxWrite = Readonly<{ received: Row }> | Change;

/**
 * Collects writes of simultaneous callers and commits them together. The promise resolves when the write is on disk.
 * The result is true if the write stored or changed a message.
 */
export const inboxWrites = (tables: Tables) =>
  batchWrites(
    (writes: readonly InboxWrite[]) =>
      // A single write needs no transaction, so the write holds no lock during a second round trip to the server.
      writes.length === 1 ? writeAll(tables, writes) : transact(tables, (within) => writeAll(within, writes)),
    BATCH_MAX,
  );

async function writeAll(within: Tables | DatabaseTransaction, writes: readonly InboxWrite[]): Promise<boolean[]> {
  const receivedRows = new Map<string, Row>();
  for (const write of writes)
    if ('received' in write && !receivedRows.has(keyOf(write.received)))
      receivedRows.set(keyOf(write.received), write.received);
  const fresh = await storeNew(within, [...receivedRows.values()]);
  const changes = writes.filter((write) => 'to' in write);
  const changed = new Set<Change>();
  for (const same of Map.groupBy(changes, whatOf).values())
    for (const applied of await change(within, same)) changed.add(applied);
  return writes.map((write) => ('received' in write ? fresh.has(write.received) : changed.has(write)));
}

async function storeNew(within: Tables | DatabaseTransaction, rows: readonly Row[]): Promise<ReadonlySet<Row>> {
  if (rows.length === 0) return new Set();
  const stored = await within
    .insertInto('billing_messages')
    .values(rows.toSorted(byKey)) // all transactions lock rows in the same order, which prevents deadlocks
    .onConflict((same) => same.columns(['provider', 'id']).doNothing())
    .returning(['provider', 'id'])
    .execute();
  const fresh = new Set(stored.map(keyOf));
  return new Set(rows.filter((row) => fresh.has(keyOf(row))));
}

async function change(within: Tables | DatabaseTransaction, changes: readonly Change[]): Promise<readonly Change[]> {
  const names = changes.map(({ named: { provider, id } }) => sql`(${provider}, ${id})`);
  // All changes in this call set the same values, except for the moment in `settled`. The database stores the moment of
  // the last change for all of them.
  const { to, from, factBefore } = changes.at(-1)!;
  const update = within
    .updateTable('billing_messages')
    .set((row) => (to === 'tried once more' ? { attempts: row('attempts', '+', 1) } : to))
    .where(sql<boolean>`(provider, id) in (values ${sql.join(names)})`);
  const inState = from ? update.where('state', 'in', from) : update;
  const filtered = factBefore === undefined ? inState : inState.where('fact', 'is not distinct from', factBefore);
  const found = new Set((await filtered.returning(['provider', 'id']).execute()).map(keyOf));
  return changes.filter(({ named }) => found.has(keyOf(named)));
}

const whatOf = ({ to, factBefore }: Change): string =>
  JSON.stringify([to, factBefore], (name, value: unknown) => (name === 'settled' ? '' : value));
const keyOf = ({ provider, id }: Named): string => JSON.stringify([provider, id]);
const byKey = (one: Named, other: Named): number => (keyOf(one) < keyOf(other) ? -1 : 1);

/** The maximum number of writes in one transaction. */
const BATCH_MAX = 64;
