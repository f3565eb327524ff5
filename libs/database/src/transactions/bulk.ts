import type { Compilable, CompiledQuery } from 'kysely';
import { isOnServer } from '../dialect';
import type { Tables } from '../schema/schema';

/**
 * Writes many rows with few statements. Kysely takes longer to build a statement than the database takes to run it. The
 * function therefore builds each statement once, and reuses the statement with other values. In a SQLite file, there is
 * one statement for each chunk size. On a server, one statement gets each column as an array: it needs one answer for
 * thousands of rows, and the server parses no long list of values.
 * @param columns in the order in which `statement` uses them; a column with numbers may not be null
 * @param statement inserts the given rows with `values`
 */
export function inBulk<Row extends object>(
  columns: readonly (keyof Row)[],
  statement: (tables: Tables, rows: readonly Row[]) => Compilable,
) {
  const inFile = new Map<number, CompiledQuery>();
  let onServer: CompiledQuery | undefined;

  const toFile = (tables: Tables, rows: readonly Row[]): CompiledQuery[] => {
    const queries: CompiledQuery[] = [];
    let written = 0;
    for (const size of SIZES) {
      for (; rows.length - written >= size; written += size) {
        const some = rows.slice(written, written + size);
        const query = inFile.get(size) ?? statement(tables, some).compile();
        inFile.set(size, query);
        queries.push({ ...query, parameters: some.flatMap((row) => columns.map((column) => row[column])) });
      }
    }
    return queries;
  };
  const toServer = (tables: Tables, rows: readonly Row[]): CompiledQuery[] => {
    const queries: CompiledQuery[] = [];
    for (let start = 0; start < rows.length; start += SERVER_ROWS_MAX) {
      const some = rows.slice(start, start + SERVER_ROWS_MAX);
      const query = (onServer ??= ofArrays(statement(tables, some.slice(0, 1)).compile()));
      queries.push({ ...query, parameters: columns.map((column) => some.map((row) => row[column])) });
    }
    return queries;
  };
  return (tables: Tables, rows: readonly Row[]): CompiledQuery[] =>
    isOnServer(tables) ? toServer(tables, rows) : toFile(tables, rows);
}

/** Makes the statement for one row accept an array of values for each column. */
function ofArrays(query: CompiledQuery): CompiledQuery {
  const arrays = query.parameters.map(
    (value, index) => `$${index + 1}::${typeof value === 'number' ? 'bigint' : 'text'}[]`,
  );
  return {
    ...query,
    sql: query.sql.replace(/ values \([$\d, ]+\)/, () => ` select * from unnest(${arrays.join(', ')})`),
  };
}

/**
 * The chunk sizes: the numbers of rows that one statement writes. Each chunk has the largest chunk size that the
 * remaining rows fill. With few sizes, Kysely builds only a few different statements.
 */
const SIZES = [128, 32, 4, 1];

/** The maximum number of rows of one statement on a server. */
const SERVER_ROWS_MAX = 4_096;
