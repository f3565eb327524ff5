import { type ListedRow, ReadModelNotBuilt } from '@charter/projections';
import { sql } from 'kysely';
import { liveEditionOf } from './editions';
import { sortText } from './list-rows';
import type { Tables } from '../schema/schema';
import type { ViewName } from './view-shape';

export type ListQuery = Readonly<{
  /** A part of the name, in upper or lower case. */
  q?: string | undefined;
  /**
   * The tags, such as `member:…` and `plan:second/solo`, all of which a row must have. The query starts from the first
   * tag, so the caller should pass the rarest tag first.
   */
  tags?: readonly string[];
  /** The cursor at the end of the previous page. */
  after?: ListCursor | undefined;
  limit: number;
}>;

/** A position in a list: the sort text and the stream. */
export type ListCursor = Readonly<{ sort: string; stream: string }>;

export type ListPage = Readonly<{
  rows: readonly Readonly<{ stream: string; revision: number; name: string; columns: ListedRow['columns'] }>[];
  /** The cursor of the next page; undefined on the last page. */
  next: ListCursor | undefined;
}>;

/**
 * Reads one page of the live edition's list rows, sorted by name. The rows may lack the newest events of the log.
 * @throws ReadModelNotBuilt
 */
export async function listOf(
  tables: Tables,
  view: ViewName,
  { q, tags = [], after, limit }: ListQuery,
): Promise<ListPage> {
  const [first = '', ...otherTags] = tags;
  let query = rowsOf(tables, view, first).limit(limit + 1);
  if (q) query = query.where(sql<boolean>`t.sort like ${`%${escapeLike(sortText(q))}%`} escape '\\'`);
  for (const tag of otherTags) {
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('list_tags as o')
          .select('o.tag')
          .whereRef('o.view', '=', 't.view')
          .whereRef('o.edition', '=', 't.edition')
          .where('o.tag', '=', tag)
          .whereRef('o.sort', '=', 't.sort')
          .whereRef('o.stream', '=', 't.stream'),
      ),
    );
  }
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('t.sort', 't.stream'), '>', tuple(after.sort, after.stream)),
    );

  const found = await query.execute();
  if (found.length === 0 && !isListed((await liveEditionOf(tables, view.name))?.version, view))
    // An empty page would be wrong, because the read model is not built yet.
    throw new ReadModelNotBuilt(view.name, view.version);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows: rows.map(({ stream, revision, name, columns }) => ({
      stream,
      revision,
      name,
      columns: JSON.parse(columns) as ListedRow['columns'],
    })),
    next: last && found.length > limit ? { sort: last.sort, stream: last.stream } : undefined,
  };
}

/**
 * Selects the rows of a tag. An index contains the rows in the order of their names, so the query reads only the rows
 * of one page.
 */
const rowsOf = (tables: Tables, { name, version, listedSince = version }: ViewName, tag: string) =>
  tables
    .selectFrom('views as v')
    .innerJoin('editions as e', (on) => on.onRef('e.view', '=', 'v.name').onRef('e.edition', '=', 'v.live'))
    .innerJoin('list_tags as t', (on) => on.onRef('t.view', '=', 'e.view').onRef('t.edition', '=', 'e.edition'))
    .innerJoin('list_rows as l', (on) =>
      on.onRef('l.view', '=', 't.view').onRef('l.edition', '=', 't.edition').onRef('l.stream', '=', 't.stream'),
    )
    .innerJoin('documents as d', (on) =>
      on.onRef('d.view', '=', 't.view').onRef('d.edition', '=', 't.edition').onRef('d.stream', '=', 't.stream'),
    )
    .select(['t.stream', 't.sort', 'l.name', 'l.columns', 'd.revision'])
    .where('v.name', '=', name)
    .where('e.version', '>=', listedSince)
    .where('e.version', '<=', version)
    .where('t.tag', '=', tag)
    .orderBy('t.sort')
    .orderBy('t.stream');

/**
 * Whether a live edition of version `live` has the list rows of this code. If so, lists stay available while a rebuild
 * makes the edition of this code's version.
 */
export const isListed = (live: number | undefined, { version, listedSince = version }: ViewName) =>
  live !== undefined && live >= listedSince && live <= version;

/** Escapes the wildcards of LIKE, so that LIKE compares the text literally. */
const escapeLike = (text: string) => text.replace(/[\\%_]/g, '\\$&');
