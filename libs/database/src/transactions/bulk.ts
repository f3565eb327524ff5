import type { Compilable, CompiledQuery } from 'kysely';
import { isOnServer } from '../dialect';
import type { Tables } from '../schema/schema';

/**
 * Writes many rows with few statements. Kysely takes longer to build a statement than the database takes to run it. The
 * function therefore builds one statement for each chunk size, and reuses the statement with other values.
 * @param columns in the order in which `statement` uses them
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

/**
 * The chunk sizes: the numbers of rows that one statement writes. Each chunk has the largest chunk size that the
 * remaining rows fill. With few sizes, Kysely builds only a few different statements.
 */
const SIZES = [128, 32, 4, 1];
