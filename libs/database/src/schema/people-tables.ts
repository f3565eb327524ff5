import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { textColumns } from './columns';

/** Accounts, their subjects at identity providers, sessions, mailed links, and secrets. */
export const peopleTables: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await textColumns(schema.createTable('accounts'), 'id', 'state', 'created', 'sought')
      .addColumn('email', 'text')
      .addColumn('email_verified', 'integer', (column) => column.notNull())
      .addColumn('username', 'text')
      .addColumn('name', 'text')
      .addColumn('role', 'text')
      .addColumn('language', 'text')
      .addColumn('password_hash', 'text')
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('erased', 'text')
      .addPrimaryKeyConstraint('accounts_key', ['id'])
      .addUniqueConstraint('accounts_email', ['email'])
      .addUniqueConstraint('accounts_username', ['username'])
      .addCheckConstraint('accounts_email_is_one', sql`email like '%@%'`)
      .addCheckConstraint('accounts_username_is_none', sql`username not like '%@%'`)
      .execute();
    await textColumns(schema.createTable('account_subjects'), 'issuer', 'subject', 'account', 'linked')
      .addPrimaryKeyConstraint('account_subjects_key', ['issuer', 'subject'])
      .execute();
    await schema.createIndex('account_subjects_account').on('account_subjects').column('account').execute();
    await textColumns(schema.createTable('sessions'), 'id', 'hash', 'account', 'method', 'agent', 'began', 'used')
      .addColumn('organization', 'text')
      .addPrimaryKeyConstraint('sessions_key', ['id'])
      .addUniqueConstraint('sessions_hash', ['hash'])
      .execute();
    await schema.createIndex('sessions_account').on('sessions').column('account').execute();
    await textColumns(schema.createTable('links'), 'hash', 'purpose', 'account', 'created', 'expires')
      .addColumn('email', 'text')
      .addPrimaryKeyConstraint('links_key', ['account', 'purpose'])
      .addUniqueConstraint('links_hash', ['hash'])
      .execute();
    await textColumns(schema.createTable('secrets'), 'name', 'sealed')
      .addPrimaryKeyConstraint('secrets_key', ['name'])
      .execute();
  },
};

/**
 * The organizations that may show the name of a person. The migration adds rows for all names that were visible before
 * the migration.
 */
export const introductionsTable: Migration = {
  async up(tables: Kysely<unknown>) {
    await textColumns(tables.schema.createTable('introductions'), 'organization', 'account')
      .addPrimaryKeyConstraint('introductions_key', ['organization', 'account'])
      .execute();
    await tables.schema.createIndex('introductions_account').on('introductions').column('account').execute();
    await sql`
      insert into introductions (organization, account)
      select distinct substr(stream, length('organization-') + 1), substr(tag, length('member:') + 1)
      from list_tags
      where tag like 'member:%' and substr(tag, length('member:') + 1) in (select id from accounts where erased is null)
    `.execute(tables);
  },
};

/** The organizations whose members saw the name of a person who is no longer a member. */
export const formerIntroductionsTable: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await textColumns(schema.createTable('former_introductions'), 'organization', 'account')
      .addPrimaryKeyConstraint('former_introductions_key', ['organization', 'account'])
      .execute();
    await schema.createIndex('former_introductions_account').on('former_introductions').column('account').execute();
  },
};

/** The preferences of people for the pages: the time zone, and whether single keys of the keyboard are shortcuts. */
export const preferenceColumns: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema.alterTable('accounts').addColumn('time_zone', 'text').execute();
    await schema.alterTable('accounts').addColumn('single_keys', 'integer').execute();
  },
};
