import type { Compilable, CompiledQuery } from 'kysely';
import { isOnServer } from '../dialect';
import type { Tables } from '../schema/schema';

/**
 * Few statements that write many rows. Building a statement costs Kysely more than running it costs the database, so a
 * statement for so many rows is built once and then only gets other values.
 * @param columns in the order in which `statement` names them
 */
export function inBulk<Row extends object>(
  columns: readonly (keyof Row)[],
  statement: (tables: Tables, rows: readonly Row[]) => Compilable,
) {
  const built = { onServer: new Map<number, CompiledQuery>(), inFile: new Map<number, CompiledQuery>() };

  return (tables: Tables, rows: readonly Row[]): CompiledQuery[] => {
    const known = built[isOnServer(tables) ? 'onServer' : 'inFile'];
    const queries: CompiledQuery[] = [];
    let written = 0;
    for (const size of SIZES) {
      for (; rows.length - written >= size; written += size) {
        const some = rows.slice(written, written + size);
        const query = known.get(size) ?? statement(tables, some).compile();
        known.set(size, query);
        queries.push({ ...query, parameters: some.flatMap((row) => columns.map((column) => row[column])) });
      }
    }
    return queries;
  };
}

/** Rows in one statement: the largest that fits is taken, again and again. */
const SIZES = [128, 32, 4, 1];
