import {
  type KyselyPlugin,
  OperationNodeTransformer,
  type DataTypeNode,
  RawNode,
  type RootOperationNode,
  sql,
} from 'kysely';
import { migrate } from '../schema/migrations';
import type { Tables } from '../schema/schema';

/**
 * Creates the schema if it is missing, and migrates its tables, in one transaction. If several processes start at once,
 * one process migrates the tables and the other processes wait.
 * @throws StoreRefused if a newer version of Charter created the tables
 */
export async function migrateSchema(tables: Tables, schema: string): Promise<void> {
  await tables.transaction().execute(async (within) => {
    await sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', ${String(PAUSE_MS)}, true)`.execute(within);
    await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${schema}))`.execute(within);
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(within);
    if (rows.length === 0) await within.schema.createSchema(schema).execute();
    await migrate(within.withPlugin(byCodePoint));
  });
}

/**
 * Gives text columns the collation "C", which compares bytes as SQLite does. Lists, pages and cursors therefore have
 * the same order in every database. Another advantage: an update of the server's collations cannot corrupt an index.
 */
const byCodePoint: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode<RootOperationNode>(node),
  transformResult: ({ result }) => Promise.resolve(result),
};

class CollatedTexts extends OperationNodeTransformer {
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    if (node.dataType !== 'text') return node;
    // Kysely allows raw SQL as a column's type.
    return RawNode.createWithSql('text collate "C"') as unknown as DataTypeNode;
  }
}

const transformer = new CollatedTexts();

/**
 * The maximum pause between two statements of a migration, in milliseconds. A busy machine can stop a starting process
 * for some seconds. A longer pause means that the process is frozen, and the other processes must not wait for it.
 */
const PAUSE_MS = 60_000;

/** The number of Charter's advisory lock in this database: the letters "CHDC". */
const LOCK = 0x43484443;
