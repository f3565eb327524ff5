import type { Compilable, CompiledQuery } from 'kysely';
import type { Within } from './schema';

/**
 * Writes many rows with few statements. Building a statement costs Kysely more than running it costs the database, so
 * a statement for so many rows is built once and then only gets other values.
 * @param columns in the order in which `statement` names them
 */
export function inBulk<Row extends object>(
  columns: readonly (keyof Row)[],
  statement: (within: Within, rows: readonly Row[]) => Compilable,
) {
  const built = new Map<number, CompiledQuery>();

  return async (within: Within, rows: readonly Row[]): Promise<void> => {
    let written = 0;
    for (const size of SIZES) {
      for (; rows.length - written >= size; written += size) {
        const some = rows.slice(written, written + size);
        const query = built.get(size) ?? statement(within, some).compile();
        built.set(size, query);
        const parameters = some.flatMap((row) => columns.map((column) => row[column]));
        await within.executeQuery({ ...query, parameters });
      }
    }
  };
}

/** Rows in one statement: the largest that fits is taken, again and again. */
const SIZES = [256, 32, 4, 1];
