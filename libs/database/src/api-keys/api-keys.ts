import { momentAt } from '@charter/decider';
import type { KeyRecord, KeyStore, Scope } from '@charter/identity';
import { lockRows } from '../dialect';
import type { QuerySync } from '../read-model/view-store';
import type { Schema, Tables, DatabaseTransaction } from '../schema/schema';
import { noteChange } from '../stamps/note-change';
import { transact } from '../transactions/transact';

/** Synchronous queries of a database that runs in this process (SQLite). */
export type SyncDatabase = Readonly<{
  askSync: QuerySync;
  /** A number that changes each time another connection commits. */
  version: () => number;
}>;

/** The number of changes to API keys that this process has made in all its stores. */
export type ChangeCounter = { count: number };

/** The store of API keys in a table. */
export function apiKeysIn(
  tables: Tables,
  syncReads?: SyncDatabase,
  changes: ChangeCounter = { count: 0 },
  polled?: () => string | undefined,
): KeyStore {
  const stamp = syncReads ? stampOf(syncReads, () => changes.count) : polled;
  return {
    ...(stamp && { stamp }),
    insert: async (record) => {
      const { numInsertedOrUpdatedRows } = await insertWhileActive(tables, rowOf(record)).executeTakeFirstOrThrow();
      changes.count += 1;
      return numInsertedOrUpdatedRows === 1n;
    },
    find: async (prefix) => {
      // For an unknown prefix, the query reads and parses the key with the next prefix. Each request thus reads one
      // row, and the duration does not reveal which prefixes exist (`acceptance.md` J2).
      const row = await tables
        .selectFrom('api_keys')
        .selectAll()
        .where('prefix', '=', ({ selectFrom, fn }) =>
          fn.coalesce(
            selectFrom('api_keys')
              .select(({ fn: { min } }) => min('prefix').as('next'))
              .where('prefix', '>=', prefix),
            selectFrom('api_keys').select(({ fn: { max } }) => max('prefix').as('last')),
          ),
        )
        .executeTakeFirst();
      const record = row && recordOf(row);
      return record?.prefix === prefix ? record : undefined;
    },
    list: async (request) => (await listedKeys(tables, request).execute()).map(recordOf),
    byIds: async (ids) => {
      if (ids.length === 0) return [];
      return (await tables.selectFrom('api_keys').selectAll().where('id', 'in', ids).execute()).map(recordOf);
    },
    revoke: async (id, now) => {
      const isRevoked = await transact(tables, async (within) => {
        const query = within
          .updateTable('api_keys')
          .set({ revoked: momentAt(now) })
          .where('id', '=', id)
          .where('revoked', 'is', null);
        const { numUpdatedRows } = await query.executeTakeFirst();
        if (numUpdatedRows > 0n) await noteChange(within, 'keys');
        return numUpdatedRows > 0n;
      });
      changes.count += 1;
      return isRevoked;
    },
    touch: async (id, now) => {
      const used = tables
        .updateTable('api_keys')
        .set({ used: momentAt(now) })
        .where('id', '=', id);
      await used
        .where(({ or, eb }) => or([eb('used', 'is', null), eb('used', '<=', momentAt(now - MINUTE))]))
        .execute();
    },
  };
}

/** Selects API keys after a key, in the order of creation. */
export function listedKeys(tables: Tables, { madeBy, after, limit }: Parameters<KeyStore['list']>[0] = {}) {
  let query = tables.selectFrom('api_keys').selectAll().orderBy('created').orderBy('id');
  if (madeBy !== undefined) query = query.where('made_by', '=', madeBy);
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('created', 'id'), '>', tuple(after.created, after.id)),
    );
  return limit === undefined ? query : query.limit(limit);
}

/**
 * Checks the account and inserts its key in a single statement. An account therefore gets no valid key if the account
 * is disabled or erased, or loses its role, during the call.
 */
function insertWhileActive(tables: Tables, row: Schema['api_keys']) {
  if (row.made_by === null) return tables.insertInto('api_keys').values(row);
  const maker = tables
    .selectFrom('accounts')
    .select(({ val }) => stored.map((column) => val(row[column]).as(column)))
    .where('accounts.id', '=', row.made_by)
    .where('accounts.state', '=', 'active')
    .where('accounts.role', '=', 'operator');
  return tables
    .insertInto('api_keys')
    .columns([...stored])
    .expression(lockRows(tables, maker));
}

/**
 * Revokes the API keys that an account has created, in the transaction that disables or erases the account or changes
 * its role.
 */
export async function revokeKeysOf(within: DatabaseTransaction, account: string, at: string): Promise<void> {
  const made = within.updateTable('api_keys').set({ revoked: at }).where('made_by', '=', account);
  await made.where('revoked', 'is', null).execute();
}

const stampOf = ({ askSync, version }: SyncDatabase, changes: () => number): (() => string) => {
  const count = askSync('select count(*) as made, count(revoked) as revoked from api_keys');
  let seen = '';
  let counted = '';
  return () => {
    const now = `${version()}.${changes()}`;
    // Most commits change no key, so the stamp stays the same.
    if (now !== seen) counted = Object.values(count()!).join('.');
    seen = now;
    return counted;
  };
};

const stored = [
  'id',
  'prefix',
  'hash',
  'name',
  'scopes',
  'organization',
  'made_by',
  'created',
  'expires',
  'revoked',
  'used',
] as const satisfies (keyof Schema['api_keys'])[];

const rowOf = ({ madeBy, ...record }: KeyRecord): Schema['api_keys'] => ({
  ...record,
  made_by: madeBy ?? null,
  scopes: JSON.stringify(record.scopes),
  organization: record.organization ?? null,
  expires: record.expires ?? null,
  revoked: record.revoked ?? null,
  used: record.used ?? null,
});

/** Leaves out optional fields whose columns are null. */
const recordOf = ({ id, prefix, hash, name, scopes, created, ...rest }: Schema['api_keys']): KeyRecord => ({
  id,
  prefix,
  hash,
  name,
  scopes: JSON.parse(scopes) as Scope[],
  created,
  ...(rest.organization !== null && { organization: rest.organization }),
  ...(rest.made_by !== null && { madeBy: rest.made_by }),
  ...(rest.expires !== null && { expires: rest.expires }),
  ...(rest.revoked !== null && { revoked: rest.revoked }),
  ...(rest.used !== null && { used: rest.used }),
});

const MINUTE = 60_000;
