import type { CreateTableBuilder } from 'kysely';

export type TableBuilder = CreateTableBuilder<string, string>;

/** A table with columns of text that are never null. */
export const textColumns = (table: TableBuilder, ...names: string[]): TableBuilder =>
  names.reduce((made, name) => made.addColumn(name, 'text', (column) => column.notNull()), table);
