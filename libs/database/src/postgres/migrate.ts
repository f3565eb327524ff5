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
 * Makes the schema if it is missing, and brings its tables to the newest shape, in one transaction. Of several
 * processes one does, and the others wait until it has.
 * @throws StoreRefused when they were made by a newer version
 */
export async function migrateSchema(tables: Tables, schema: string): Promise<void> {
  await tables.transaction().execute(async (within) => {
    await sql`select set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`.execute(within);
    await sql`select pg_advisory_xact_lock(${LOCK}, hashtext(${schema}))`.execute(within);
    const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(within);
    if (rows.length === 0) await within.schema.createSchema(schema).execute();
    await migrate(within.withPlugin(byCodePoint));
  });
}

/**
 * Texts are compared by their bytes, as SQLite does: so lists, pages and the places in them agree in every database,
 * and no update of a language's rules on the server brings an index into disorder.
 */
const byCodePoint: KyselyPlugin = {
  transformQuery: ({ node }) => transformer.transformNode<RootOperationNode>(node),
  transformResult: ({ result }) => Promise.resolve(result),
};

class CollatedTexts extends OperationNodeTransformer {
  protected override transformDataType(node: DataTypeNode): DataTypeNode {
    if (node.dataType !== 'text') return node;
    return RawNode.createWithSql('text collate "C"') as unknown as DataTypeNode; // a column's type may be raw
  }
}

const transformer = new CollatedTexts();

/** "CHDC", beside which other locks of the database are not ours. */
const LOCK = 0x43484443;
