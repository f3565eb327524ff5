import type { KeyRecord, KeyStore, Scope } from '@charter/identity';
import type { AskSync } from './view-store';
import type { Schema, Tables } from './schema';

/** What a database in this process can say at once. */
export type Hot = Readonly<{
  askSync: AskSync;
  /** Changes whenever another connection has committed. */
  version: () => number;
}>;

/** API keys in a table. */
export function apiKeysIn(tables: Tables, hot?: Hot): KeyStore {
  let changes = 0;

  return {
    ...(hot && readingSync(hot, () => changes)),
    insert: async (record) => {
      await tables.insertInto('api_keys').values(rowOf(record)).execute();
      changes += 1;
    },
    find: async (prefix) => {
      // One row, whether there is such a key or not: so that the time tells nobody which prefixes exist (`acceptance.md` J2).
      const { id, ...row } = await tables
        .selectFrom('api_keys')
        .select(({ fn }) => columns.map((column) => fn.max(column).as(column)))
        .where('prefix', '=', prefix)
        .executeTakeFirstOrThrow();
      const record = recordOf({ ...row, id: id ?? '', scopes: row.scopes ?? '[]' } as Schema['api_keys']);
      return id === null ? undefined : record;
    },
    list: async () =>
      (await tables.selectFrom('api_keys').selectAll().orderBy('created').orderBy('id').execute()).map(recordOf),
    revoke: async (id, now) => {
      const query = tables
        .updateTable('api_keys')
        .set({ revoked: moment(now) })
        .where('id', '=', id)
        .where('revoked', 'is', null);
      const { numUpdatedRows } = await query.executeTakeFirst();
      changes += 1;
      return numUpdatedRows > 0n;
    },
    touch: async (id, now) => {
      const used = tables
        .updateTable('api_keys')
        .set({ used: moment(now) })
        .where('id', '=', id);
      await used.where(({ or, eb }) => or([eb('used', 'is', null), eb('used', '<=', moment(now - MINUTE))])).execute();
    },
  };
}

const readingSync = ({ askSync, version }: Hot, changes: () => number): Pick<KeyStore, 'findSync' | 'stamp'> => {
  const ask = askSync('select * from api_keys where prefix = ?');
  const count = askSync('select count(*) as made, count(revoked) as revoked from api_keys');
  let seen = '';
  let counted = '';
  return {
    findSync: (prefix) => {
      const row = ask(prefix) as Schema['api_keys'] | undefined;
      return row && recordOf(row);
    },
    stamp: () => {
      const now = `${version()}.${changes()}`;
      if (now !== seen) counted = Object.values(count()!).join('.'); // most commits are not about keys
      seen = now;
      return counted;
    },
  };
};

const columns = [
  'id',
  'prefix',
  'hash',
  'name',
  'scopes',
  'organization',
  'created',
  'expires',
  'revoked',
  'used',
] as const satisfies (keyof Schema['api_keys'])[];

const rowOf = (record: KeyRecord): Schema['api_keys'] => ({
  ...record,
  scopes: JSON.stringify(record.scopes),
  organization: record.organization ?? null,
  expires: record.expires ?? null,
  revoked: record.revoked ?? null,
  used: record.used ?? null,
});

/** Optional things are absent, not null. */
const recordOf = ({ id, prefix, hash, name, scopes, created, ...rest }: Schema['api_keys']): KeyRecord => ({
  id,
  prefix,
  hash,
  name,
  scopes: JSON.parse(scopes) as Scope[],
  created,
  ...(rest.organization !== null && { organization: rest.organization }),
  ...(rest.expires !== null && { expires: rest.expires }),
  ...(rest.revoked !== null && { revoked: rest.revoked }),
  ...(rest.used !== null && { used: rest.used }),
});

const moment = (at: number) => new Date(at).toISOString();
const MINUTE = 60_000;
