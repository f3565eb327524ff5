import type { CreateTableBuilder } from 'kysely';

export type Table = CreateTableBuilder<string, string>;

/** A table with columns of text that are never null. */
export const texts = (table: Table, ...names: string[]): Table =>
  names.reduce((made, name) => made.addColumn(name, 'text', (column) => column.notNull()), table);
