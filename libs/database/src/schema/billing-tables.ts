import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { textColumns } from './columns';

/** The messages of payment providers, and the customers that are linked to organizations. */
export const billingTables: Migration = {
  async up({ schema }: Kysely<unknown>) {
    const messages = schema.createTable('billing_messages');
    await textColumns(messages, 'provider', 'id', 'type', 'time', 'state', 'received')
      .addColumn('organization', 'text')
      .addColumn('customer', 'text')
      .addColumn('subscription', 'text')
      .addColumn('fact', 'text')
      .addColumn('raw', 'text')
      .addColumn('reason', 'text')
      .addColumn('detail', 'text')
      .addColumn('settled', 'text')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('billing_messages_key', ['provider', 'id'])
      .execute();
    for (const [name, columns] of Object.entries(sought))
      await schema.createIndex(`billing_messages_${name}`).on('billing_messages').columns(columns).execute();
    const customers = schema.createTable('billing_customers');
    await textColumns(customers, 'provider', 'customer', 'organization', 'claimed')
      .addPrimaryKeyConstraint('billing_customers_key', ['provider', 'customer'])
      .execute();
    const ofOrganization = schema.createIndex('billing_customers_organization');
    await ofOrganization.on('billing_customers').column('organization').execute();
  },
};

const sought = {
  subscription: ['provider', 'subscription'],
  organization: ['organization'],
  customer: ['provider', 'customer'],
  state: ['state', 'received'],
};
