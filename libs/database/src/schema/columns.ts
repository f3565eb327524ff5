import type { CreateTableBuilder } from 'kysely';

export type TableBuilder = CreateTableBuilder<string, string>;

/** Adds text columns to a table; the columns are never null. */
export const textColumns = (table: TableBuilder, ...names: string[]): TableBuilder =>
  names.reduce((made, name) => made.addColumn(name, 'text', (column) => column.notNull()), table);
