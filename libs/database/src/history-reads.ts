import type { Moment } from '@charter/decider';
import type { PlatformRole } from '@charter/identity';
import { sql } from 'kysely';
import { replaceMark } from './installation-marks';
import type { Schema, Tables } from './schema/schema';
import { inBulk } from './transactions/bulk';
import { transact } from './transactions/transact';

/** A recorded read of one or several histories. */
export type HistoryRead = Readonly<{
  /** The histories that were read, as the projection names them, for example one organization or all organizations. */
  scope: string;
  at: Moment;
  kind: 'account' | 'key';
  /** The id of the account or API key that has read the histories. */
  reader: string;
  did: 'read' | 'exported' | 'followed';
  /**
   * The platform role that the account had at that time; null if the account had no role, or if the reader is an API
   * key.
   */
  role: PlatformRole | null;
}>;

/** The reads of one scope between two moments, both included. */
export type ReadRange = Readonly<{ scope: string; from: Moment; to: Moment }>;

/** The fields by which lists of reads are sorted; together they identify the place of a read in such a list. */
export type ReadPlace = Pick<HistoryRead, 'at' | 'kind' | 'reader' | 'did'>;

/** The recorded reads of histories, projected from the audit streams of accounts and keys. */
export type HistoryReads = Readonly<{
  /** How far the projection has read the log, as `commit` stored it; undefined before the first commit. */
  progress(): Promise<string | undefined>;
  /**
   * In one transaction, replaces the progress `from` by `to`, adds reads, and sets platform roles; `undefined` removes
   * a role. If `anew` is true, first deletes all reads and roles. Returns false and changes nothing if another process
   * has replaced the progress.
   */
  commit(change: HistoryReadsChange): Promise<boolean>;
  /** Removes the progress, so that the projection begins anew. */
  reset(): Promise<void>;
  /** The last known platform roles. The map has no entry for an account whose role was never recorded. */
  rolesOf(accounts: readonly string[]): Promise<ReadonlyMap<string, PlatformRole | null>>;
  /** The reads in the ranges, newest first; with `beyond`, only the reads that follow this place in the list. */
  page(
    ranges: readonly ReadRange[],
    options: Readonly<{ beyond?: ReadPlace | undefined; limit: number }>,
  ): Promise<readonly HistoryRead[]>;
}>;

type HistoryReadsChange = Readonly<{
  from: string | undefined;
  to: string;
  anew?: boolean;
  reads: readonly HistoryRead[];
  roles: ReadonlyMap<string, PlatformRole | null | undefined>;
}>;

const MARK = 'history-reads';

/** The maximum number of ranges in one statement. */
const RANGES_MAX = 50;

const insertReads = inBulk<Schema['history_reads']>(
  ['scope', 'at', 'kind', 'reader', 'did', 'role'],
  (tables: Tables, rows) =>
    tables
      .insertInto('history_reads')
      .values(rows)
      .onConflict((same) => same.doNothing()),
);

const setRoles = inBulk<Schema['reader_roles']>(['account', 'role'], (tables: Tables, rows) =>
  tables
    .insertInto('reader_roles')
    .values(rows)
    .onConflict((same) => same.column('account').doUpdateSet(({ ref }) => ({ role: ref('excluded.role') }))),
);

/** @param projected the connections of projectors, so that no request waits for a projector */
export function historyReadsIn(tables: Tables, projected: Tables = tables): HistoryReads {
  return {
    progress: async () =>
      (await tables.selectFrom('marks').select('value').where('name', '=', MARK).executeTakeFirst())?.value,
    commit: ({ from, to, anew = false, reads, roles }) =>
      transact(projected, async (within) => {
        if (!(await replaceMark(within, MARK, { from, to }))) return false;
        if (anew) {
          await within.deleteFrom('history_reads').execute();
          await within.deleteFrom('reader_roles').execute();
        }
        const [set, removed] = [new Array<Schema['reader_roles']>(), new Array<string>()];
        for (const [account, role] of roles)
          if (role === undefined) removed.push(account);
          else set.push({ account, role });
        for (const query of [...insertReads(projected, reads), ...setRoles(projected, set)])
          await within.executeQuery(query);
        for (const account of removed) await within.deleteFrom('reader_roles').where('account', '=', account).execute();
        return true;
      }),
    reset: async () => {
      await projected.deleteFrom('marks').where('name', '=', MARK).execute();
    },
    rolesOf: async (accounts) => {
      if (accounts.length === 0) return new Map();
      const rows = await projected.selectFrom('reader_roles').selectAll().where('account', 'in', accounts).execute();
      return new Map(rows.map(({ account, role }) => [account, role]));
    },
    page: async (ranges, { beyond, limit }) => {
      let newest: readonly HistoryRead[] = [];
      for (let first = 0; first < ranges.length; first += RANGES_MAX) {
        const parts = ranges.slice(first, first + RANGES_MAX).map((range) => newestIn(range, beyond, limit));
        const { rows } = await sql<HistoryRead>`${sql.join(parts, sql` union all `)}`.execute(tables);
        newest = [...newest, ...rows].sort(newestFirst).slice(0, limit);
      }
      return newest;
    },
  };
}

/** Reads the primary key of the table backwards, so that the statement reads no more rows than it returns. */
const newestIn = ({ scope, from, to }: ReadRange, beyond: ReadPlace | undefined, limit: number) => {
  const after = beyond
    ? sql`and (at, kind, reader, did) < (${beyond.at}, ${beyond.kind}, ${beyond.reader}, ${beyond.did})`
    : sql``;
  return sql`select * from (
    select scope, at, kind, reader, did, role from history_reads
    where scope = ${scope} and at >= ${from} and at <= ${to} ${after}
    order by at desc, kind desc, reader desc, did desc limit ${limit}) as newest`;
};

const placeOf = ({ at, kind, reader, did }: ReadPlace) => [at, kind, reader, did].join(' ');
const newestFirst = (left: ReadPlace, right: ReadPlace) => (placeOf(left) < placeOf(right) ? 1 : -1);
