import { StoreRefused } from '@charter/event-log';
import { Kysely } from 'kysely';
import { migrate } from '../schema/migrations';
import type { Schema, Tables } from '../schema/schema';
import { openFailureReason } from './failure';
import { nodeSqliteDialect } from './node-sqlite-dialect';
import { type Connections, openFile } from './open-file';
import { type FileHealth, fileHealth } from './file-health';

/** The tables of a file, and how to leave them. */
export type OpenTables = Connections & Readonly<{ tables: Tables; trust: FileHealth; close: () => Promise<void> }>;

/**
 * Opens the tables in a file, makes it if there is none, and brings them to the newest shape.
 * @throws StoreRefused with one sentence: damaged, foreign, from a newer version, or not to be written
 */
export async function openTables(file: string): Promise<OpenTables> {
  const { writing, reading } = openFile(file);
  const trust = fileHealth(file);
  const tables = new Kysely<Schema>({ dialect: nodeSqliteDialect(writing, trust) });
  const close = async () => {
    reading.close();
    await tables.destroy();
  };
  try {
    await migrate(tables);
  } catch (why) {
    await close();
    if (why instanceof StoreRefused) throw why;
    throw new StoreRefused(
      `The documents file ${file} ${openFailureReason(why) ?? `cannot be used: ${String(why)}`}.`,
      {
        cause: why,
      },
    );
  }
  return { tables, trust, writing, reading, close };
}
