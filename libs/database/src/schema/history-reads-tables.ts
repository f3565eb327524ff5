import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { textColumns } from './columns';
import { isOnServer } from '../dialect';

/** The recorded reads of histories, and the platform role of each account that ever had a platform role. */
export const historyReadsTables: Migration = {
  async up(tables: Kysely<unknown>) {
    const { schema } = tables;
    const reads = textColumns(schema.createTable('history_reads'), 'scope', 'at', 'kind', 'reader', 'did')
      .addColumn('role', 'text')
      .addPrimaryKeyConstraint('history_reads_key', ['scope', 'at', 'kind', 'reader', 'did']);
    // Without `without rowid`, SQLite stores every entry twice: in the table and in the index of its key.
    await (isOnServer(tables) ? reads : reads.modifyEnd(sql`without rowid`)).execute();
    await textColumns(schema.createTable('reader_roles'), 'account')
      .addColumn('role', 'text')
      .addPrimaryKeyConstraint('reader_roles_key', ['account'])
      .execute();
  },
};
