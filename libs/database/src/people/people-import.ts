import { StoreRefused } from '@charter/event-log';
import { type Kysely, sql } from 'kysely';
import type { Schema, Tables } from '../schema/schema';
import { transact } from '../transactions/transact';

/** The number of imported rows for each table. */
export type ImportedRows = Readonly<Record<ImportedTable, number>>;
type ImportedTable = (typeof importedTables)[number];

/**
 * The tables that cannot be rebuilt from the event log: people and their records, API keys, stored answers, mails,
 * messages of payment providers. The import does not copy read models, because projectors rebuild them.
 */
const importedTables = [
  'accounts',
  'account_subjects',
  'sessions',
  'links',
  'introductions',
  'former_introductions',
  'secrets',
  'api_keys',
  'receipts',
  'mails',
  'deferred_work',
  'billing_messages',
  'billing_customers',
  'proven_domains',
] as const satisfies readonly (keyof Schema)[];

/**
 * The names of the installation marks that the import copies, because these marks describe the organizations. The
 * import copies no other installation marks, because they describe the installation and not the organizations.
 */
const importedMarks = ['demo'];

/**
 * Copies people, API keys, stored answers, mails and billing messages from a documents file, in one transaction, into
 * tables without such rows.
 * @param from tables of a SQLite file
 * @throws StoreRefused if the tables already contain such rows
 */
export function importPeople(from: Tables, into: Tables): Promise<ImportedRows> {
  return transact(into, async (within) => {
    const found = {} as Record<ImportedTable, number>;
    for (const table of importedTables) {
      if (
        await within
          .selectFrom(table)
          .select(sql`1`.as('one'))
          .limit(1)
          .executeTakeFirst()
      )
        throw new StoreRefused(`The tables already contain ${table}; an import needs empty tables.`);
      found[table] = 0;
      for await (const rows of pagesOf(from, table)) {
        await untyped(within).insertInto(table).values(rows).execute();
        found[table] += rows.length;
      }
    }
    const marks = await from.selectFrom('marks').selectAll().where('name', 'in', importedMarks).execute();
    for (const { name, value } of marks)
      await within
        .insertInto('marks')
        .values({ name, value })
        .onConflict((same) => same.column('name').doUpdateSet({ value }))
        .execute();
    return found;
  });
}

type Row = Readonly<Record<string, unknown>>;

/** Makes Kysely accept any columns, because the import copies all columns. */
const untyped = (tables: Tables) => tables as unknown as Kysely<Record<string, Record<string, unknown>>>;

async function* pagesOf(from: Tables, table: ImportedTable): AsyncGenerator<readonly Row[]> {
  let last = -1;
  for (;;) {
    const rows = await untyped(from)
      .selectFrom(table)
      .selectAll()
      .select(sql<number>`rowid`.as(PLACE))
      .where(sql<boolean>`rowid > ${last}`)
      .orderBy(sql`rowid`)
      .limit(PAGE)
      .execute();
    if (rows.length === 0) return;
    last = rows.at(-1)![PLACE];
    yield rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => column !== PLACE)));
  }
}

const PLACE = 'place in the file';
const PAGE = 200;
