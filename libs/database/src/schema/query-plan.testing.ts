import { CompiledQuery, type Compilable } from 'kysely';
import type { Tables } from './schema';

/** The lines of the plan that the database makes for a query. */
export async function queryPlanOf(tables: Tables, explain: string, query: Compilable): Promise<readonly string[]> {
  const { sql, parameters } = query.compile();
  const explained = CompiledQuery.raw(`${explain} ${sql}`, [...parameters]);
  const { rows } = await tables.executeQuery<Record<string, unknown>>(explained);
  return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN']));
}
