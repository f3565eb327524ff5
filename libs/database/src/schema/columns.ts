import type { CreateTableBuilder } from 'kysely';

export type TableBuilder = CreateTableBuilder<string, string>;

/** Adds text columns that are never null to a table. */
export const textColumns = (table: TableBuilder, ...names: string[]): TableBuilder =>
  names.reduce((made, name) => made.addColumn(name, 'text', (column) => column.notNull()), table);
