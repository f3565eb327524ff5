import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectedTo } from '../../../libs/database/src/database.testing';
import type { Served } from '../serving';

type Tables = Pick<Served, 'folder' | 'charter'>;
type Row = Readonly<Record<string, unknown>>;

/** Runs one statement directly on the tables, without the service, in SQLite or in PostgreSQL. */
export async function onTables({ folder, charter }: Tables, sql: string): Promise<readonly Row[]> {
  const { documentsServer } = charter.settings;
  if (documentsServer) {
    const client = await connectedTo(documentsServer);
    const query = client.query<Row>(sql).finally(() => client.end());
    return (await query).rows;
  }
  const database = new DatabaseSync(join(folder, 'documents.db'), { timeout: 1_000 });
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** All data of a service: its files, and every row of its tables if they are in PostgreSQL. */
export async function everythingIn(served: Tables): Promise<readonly Buffer[]> {
  const files = readdirSync(served.folder).map((name) => readFileSync(join(served.folder, name)));
  const { documentsServer } = served.charter.settings;
  if (!documentsServer) return files;
  const tables = await onTables(
    served,
    `select table_name as name from information_schema.tables where table_schema = '${documentsServer.schema}'`,
  );
  const dumps: Buffer[] = [];
  for (const { name } of tables) {
    const rows = await onTables(served, `select row_to_json(t)::text as row from "${String(name)}" t`);
    dumps.push(Buffer.from(rows.map(({ row }) => row).join('\n')));
  }
  return [...files, ...dumps];
}
