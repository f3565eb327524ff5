import { hash } from 'node:crypto';
import type { DocumentFingerprint, ListedDocument } from '@charter/projections';
import { sql } from 'kysely';
import { isOnServer } from '../dialect';
import type { Tables } from '../schema/schema';
import type { EditionKey } from './edition-key';
import { rowFrom } from './list-rows';
import { documentFrom } from './stored-document';

/** Reads the documents after a name with their list rows, sorted by stream. */
export async function listedDocuments<State>(
  tables: Tables,
  key: EditionKey,
  after: string,
  size: number,
  first?: 'inclusive',
): Promise<readonly ListedDocument<State>[]> {
  const rows = await documentsAfter(tables, key, after, first)
    .select(['d.stream', 'd.revision', 'd.at', 'd.state', 'l.name', 'l.tags', 'l.columns'])
    .limit(size)
    .execute();
  return rows.map((row) => ({ stream: row.stream, document: documentFrom<State>(row), row: rowFrom(row) }));
}

/** Reads the fingerprints after a name. A database server computes the hashes, so that it sends no documents. */
export async function fingerprints(
  tables: Tables,
  key: EditionKey,
  after: string,
  size: number,
): Promise<readonly DocumentFingerprint[]> {
  const documents = documentsAfter(tables, key, after).select(['d.stream', 'd.revision']).limit(size);
  if (isOnServer(tables)) {
    const texts = sql<string>`concat_ws(chr(31), d.at, l.tags, l.columns, d.state, l.name)`;
    return documents.select(sql<string>`encode(sha256(convert_to(${texts}, 'UTF8')), 'hex')`.as('hash')).execute();
  }
  const rows = await documents.select(['d.at', 'l.tags', 'l.columns', 'd.state', 'l.name']).execute();
  return rows.map(({ stream, revision, at, tags, columns, state, name }) => {
    const texts = [at, tags, columns, state, name].filter((text) => text !== null);
    return { stream, revision, hash: hash('sha256', texts.join(SEPARATOR)) };
  });
}

/** U+001F, which no JSON text contains unescaped. Documents with different texts therefore have different hashes. */
const SEPARATOR = '\x1f';

const documentsAfter = (tables: Tables, { view, edition }: EditionKey, after: string, first?: 'inclusive') =>
  tables
    .selectFrom('documents as d')
    .leftJoin('list_rows as l', (on) =>
      on.onRef('l.view', '=', 'd.view').onRef('l.edition', '=', 'd.edition').onRef('l.stream', '=', 'd.stream'),
    )
    .where('d.view', '=', view)
    .where('d.edition', '=', edition)
    .where('d.stream', first ? '>=' : '>', after)
    .orderBy('d.stream');
