import { StoreRefused } from '@charter/event-log';
import { Kysely } from 'kysely';
import { migrate } from '../schema/migrations';
import type { Schema, Tables } from '../schema/schema';
import { openFailureReason } from './failure';
import { nodeSqliteDialect } from './node-sqlite-dialect';
import { type Connections, openFile } from './open-file';
import { type FileHealth, fileHealth } from './file-health';

/** The open tables of a file, and a function that closes them. */
export type OpenTables = Connections & Readonly<{ tables: Tables; health: FileHealth; close: () => Promise<void> }>;

/**
 * Opens the tables in a file, and migrates the tables to the newest schema. Creates the file if it is missing.
 * @throws StoreRefused with a one-sentence reason: the file is damaged, belongs to another program, comes from a newer
 * version, or is not writable
 */
export async function openTables(file: string): Promise<OpenTables> {
  const { writing, reading } = openFile(file);
  const health = fileHealth(file);
  const tables = new Kysely<Schema>({ dialect: nodeSqliteDialect(writing, health) });
  const close = async () => {
    // The last connection that closes makes a checkpoint, unless it only reads. After a failed flush, no checkpoint may
    // follow, so the read-only connection closes last.
    if (health.lost() === undefined) reading.close();
    await tables.destroy();
    if (reading.isOpen) reading.close();
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
  return { tables, health, writing, reading, close };
}
