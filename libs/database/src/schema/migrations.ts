import { StoreRefused } from '@charter/event-log';
import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { billingTables } from './billing-tables';
import { type TableBuilder, textColumns } from './columns';
import { isOnServer } from '../dialect';
import { historyReadsTables } from './history-reads-tables';
import { formerIntroductionsTable, introductionsTable, peopleTables, preferenceColumns } from './people-tables';
import type { Tables } from './schema';

/**
 * Migrates the tables to the newest schema. Two processes may migrate the tables at the same time.
 * @throws StoreRefused if a newer version of Charter created the tables
 */
export async function migrate(tables: Tables, steps: Readonly<Record<string, Migration>> = migrations): Promise<void> {
  const strange = (await applied(tables)).filter((name) => !(name in steps));
  if (strange.length > 0)
    throw new StoreRefused(
      `The tables of the documents are from a newer version of Charter (unknown migrations: ${strange.join(', ')}).`,
    );

  const { error } = await new Migrator({
    db: tables,
    provider: { getMigrations: () => Promise.resolve({ ...steps }) },
  }).migrateToLatest();
  if (error) throw error as Error; // Kysely returns the error that a migration threw
}

async function applied(tables: Tables): Promise<string[]> {
  const known = await tables.introspection.getTables({ withInternalKyselyTables: true });
  if (!known.some(({ name }) => name === 'kysely_migration')) return [];
  const rows = await (tables as unknown as Kysely<MigrationTable>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** The table in which Kysely records the applied migrations. */
type MigrationTable = { kysely_migration: { name: string } };

/**
 * The migrations, applied in the order of their names. Each change of the schema is a new migration; an existing
 * migration never changes.
 */
const migrations: Readonly<Record<string, Migration>> = {
  '001-read-models': {
    async up(db: Kysely<unknown>) {
      const { schema } = db;
      await textColumns(schema.createTable('views'), 'name')
        .addColumn('begun', 'integer', (column) => column.notNull())
        .addColumn('live', 'integer')
        .addColumn('paused', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('views_key', ['name'])
        .execute();
      await ofEdition(schema.createTable('editions'))
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('ended', 'text')
        .addColumn('store', 'text')
        .addColumn('position', 'text')
        .addColumn('event_position', 'text')
        .addColumn('event_id', 'text')
        .addPrimaryKeyConstraint('editions_key', ['view', 'edition'])
        .execute();
      await textColumns(ofEdition(schema.createTable('documents')), 'stream', 'at', 'state')
        .addColumn('revision', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('documents_key', ['view', 'edition', 'stream'])
        .execute();
      await textColumns(ofEdition(schema.createTable('list_rows')), 'stream', 'name', 'sort', 'tags', 'columns')
        .addPrimaryKeyConstraint('list_rows_key', ['view', 'edition', 'stream'])
        .execute();
      const listTags = textColumns(
        ofEdition(schema.createTable('list_tags')),
        'tag',
        'sort',
        'stream',
      ).addPrimaryKeyConstraint('list_tags_key', ['view', 'edition', 'tag', 'sort', 'stream']);
      // Without `without rowid`, SQLite stores every entry twice: in the table and in the index of its key.
      await (isOnServer(db) ? listTags : listTags.modifyEnd(sql`without rowid`)).execute();
      await textColumns(ofEdition(schema.createTable('parked')), 'stream', 'error', 'since')
        .addColumn('revision', 'integer', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('released', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('parked_key', ['view', 'edition', 'stream'])
        .execute();
    },
  },
  '002-leases-and-marks': {
    async up({ schema }: Kysely<unknown>) {
      await textColumns(schema.createTable('leases'), 'name', 'holder', 'until')
        .addPrimaryKeyConstraint('leases_key', ['name'])
        .execute();
      await textColumns(schema.createTable('marks'), 'name', 'value')
        .addPrimaryKeyConstraint('marks_key', ['name'])
        .execute();
    },
  },
  '003-receipts': {
    async up({ schema }: Kysely<unknown>) {
      await textColumns(schema.createTable('receipts'), 'key', 'body_hash', 'claimed')
        .addColumn('status', 'integer')
        .addColumn('headers', 'text')
        .addColumn('body', 'text')
        .addColumn('answered', 'text')
        .addPrimaryKeyConstraint('receipts_key', ['key'])
        .execute();
    },
  },
  '004-keys-and-attempts': {
    async up({ schema }: Kysely<unknown>) {
      await textColumns(schema.createTable('api_keys'), 'id', 'prefix', 'hash', 'name', 'scopes', 'created')
        .addColumn('organization', 'text')
        .addColumn('expires', 'text')
        .addColumn('revoked', 'text')
        .addColumn('used', 'text')
        .addPrimaryKeyConstraint('api_keys_key', ['id'])
        .addUniqueConstraint('api_keys_prefix', ['prefix'])
        .execute();
      await textColumns(schema.createTable('attempts'), 'bucket', 'ends')
        .addColumn('count', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('attempts_key', ['bucket'])
        .execute();
      await schema.createIndex('attempts_ends').on('attempts').column('ends').execute();
    },
  },
  '005-people': peopleTables,
  '006-mails': {
    async up({ schema }: Kysely<unknown>) {
      await textColumns(
        schema.createTable('mails'),
        'id',
        'kind',
        'address',
        'language',
        'made',
        'state',
        'next',
        'expires',
      )
        .addColumn('account', 'text')
        .addColumn('sealed', 'text')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('error', 'text')
        .addColumn('settled', 'text')
        .addPrimaryKeyConstraint('mails_key', ['id'])
        .execute();
      await schema.createIndex('mails_due').on('mails').columns(['state', 'next']).execute();
      await schema.createIndex('mails_made').on('mails').columns(['made', 'id']).execute();
    },
  },
  '007-makers-of-keys': {
    async up({ schema }: Kysely<unknown>) {
      await schema.alterTable('api_keys').addColumn('made_by', 'text').execute();
      await schema.createIndex('api_keys_made_by').on('api_keys').column('made_by').execute();
    },
  },
  '008-what-projections-tell': {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .alterTable('editions')
        .addColumn('commits', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await schema.alterTable('editions').addColumn('reached', 'text').execute();
      await schema.alterTable('editions').addColumn('heard_of', 'text').execute();
      for (const name of ['type', 'position'])
        await schema
          .alterTable('parked')
          .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
          .execute();
    },
  },
  '009-billing': billingTables,
  '010-signed-heads': {
    async up({ schema }: Kysely<unknown>) {
      await textColumns(schema.createTable('signed_heads'), 'stream', 'head')
        .addColumn('events', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('signed_heads_key', ['stream'])
        .execute();
    },
  },
  '011-deferred-work': {
    async up({ schema }: Kysely<unknown>) {
      await textColumns(schema.createTable('deferred_work'), 'id', 'kind', 'sealed', 'next')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('deferred_work_key', ['id'])
        .execute();
      await schema.createIndex('deferred_work_due').on('deferred_work').columns(['next', 'id']).execute();
    },
  },
  '012-introductions': introductionsTable,
  '013-former-introductions': formerIntroductionsTable,
  '014-history-reads': historyReadsTables,
  '015-preferences': preferenceColumns,
  '016-history-snapshots': {
    async up({ schema }: Kysely<unknown>) {
      const numbers = ['version', 'revision'];
      const texts = ['stream', 'hash', 'at', 'in_force_by', 'state', 'proof'];
      const table = textColumns(schema.createTable('history_snapshots'), ...texts);
      await numbers
        .reduce((made, name) => made.addColumn(name, 'integer', (column) => column.notNull()), table)
        .addPrimaryKeyConstraint('history_snapshots_key', ['stream', 'version', 'revision'])
        .execute();
    },
  },
  '017-proven-domains': {
    async up({ schema }: Kysely<unknown>) {
      await textColumns(schema.createTable('proven_domains'), 'domain', 'organization', 'checked')
        .addColumn('missing', 'text')
        .addPrimaryKeyConstraint('proven_domains_key', ['domain'])
        .execute();
      await schema.createIndex('proven_domains_checked').on('proven_domains').column('checked').execute();
    },
  },
  '018-new-mails': {
    async up({ schema }: Kysely<unknown>) {
      await schema.createIndex('mails_new').on('mails').columns(['state', 'attempts', 'next', 'id']).execute();
    },
  },
  '019-many-commits': {
    async up(db: Kysely<unknown>) {
      if (!isOnServer(db)) return; // in SQLite, an integer has 64 bits
      const column = db.schema
        .alterTable('editions')
        .alterColumn('commits', (commits) => commits.setDataType('bigint'));
      await column.execute();
    },
  },
  '020-listed-rows': {
    async up({ schema }: Kysely<unknown>) {
      await schema.createIndex('mails_listed').on('mails').columns(['state', 'made', 'id']).execute();
      const received = schema.createIndex('billing_messages_received').on('billing_messages');
      await received.columns(['received', 'provider', 'id']).execute();
    },
  },
  '021-listed-keys': {
    async up({ schema }: Kysely<unknown>) {
      await schema.createIndex('api_keys_created').on('api_keys').columns(['created', 'id']).execute();
    },
  },
};

/** Adds the columns that identify the edition to which a row belongs. */
const ofEdition = (table: TableBuilder): TableBuilder =>
  textColumns(table, 'view').addColumn('edition', 'integer', (column) => column.notNull());
