import type { Row } from '@charter/event-log';
import { sql } from 'kysely';
import { sortText } from './list-rows';
import type { Tables } from './schema';
import type { ViewName } from './view-store';

export type ListQuery = Readonly<{
  /** Part of the name, in any case. */
  q?: string | undefined;
  /** All of these must be there, such as `plan:second/solo` and `member:…`. */
  tags?: readonly string[];
  /** Where the page before ended. */
  after?: ListPlace | undefined;
  limit: number;
}>;

/** A place in a list: the text it is ordered by, and the stream. */
export type ListPlace = Readonly<{ sort: string; stream: string }>;

export type Listed = Readonly<{
  rows: readonly Readonly<{ stream: string; revision: number; name: string; columns: Row['columns'] }>[];
  /** Nothing: this was the last page. */
  next: ListPlace | undefined;
}>;

/** One page of the live documents' rows, by name. It may trail by the projection's lag. */
export async function listOf(
  tables: Tables,
  view: ViewName,
  { q, tags = [], after, limit }: ListQuery,
): Promise<Listed> {
  let query = rowsOf(tables, view).limit(limit + 1);
  if (q) query = query.where(sql<boolean>`l.sort like ${`%${literally(sortText(q))}%`} escape '\\'`);
  for (const tag of new Set(tags)) {
    query = query.where('l.stream', 'in', ({ selectFrom }) =>
      selectFrom('list_tags as t')
        .select('t.stream')
        .whereRef('t.view', '=', 'l.view')
        .whereRef('t.edition', '=', 'l.edition')
        .where('t.tag', '=', tag),
    );
  }
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('l.sort', 'l.stream'), '>', tuple(after.sort, after.stream)),
    );

  const found = await query.execute();
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows: rows.map(({ stream, revision, name, columns }) => ({
      stream,
      revision,
      name,
      columns: JSON.parse(columns) as Row['columns'],
    })),
    next: last && found.length > limit ? { sort: last.sort, stream: last.stream } : undefined,
  };
}

const rowsOf = (tables: Tables, { name, version }: ViewName) =>
  tables
    .selectFrom('views as v')
    .innerJoin('editions as e', (on) => on.onRef('e.view', '=', 'v.name').onRef('e.edition', '=', 'v.live'))
    .innerJoin('list_rows as l', (on) => on.onRef('l.view', '=', 'e.view').onRef('l.edition', '=', 'e.edition'))
    .innerJoin('documents as d', (on) =>
      on.onRef('d.view', '=', 'l.view').onRef('d.edition', '=', 'l.edition').onRef('d.stream', '=', 'l.stream'),
    )
    .select(['l.stream', 'l.name', 'l.sort', 'l.columns', 'd.revision'])
    .where('v.name', '=', name)
    .where('e.version', '=', version)
    .orderBy('l.sort')
    .orderBy('l.stream');

/** What LIKE would read as a pattern stands for itself. */
const literally = (text: string) => text.replace(/[\\%_]/g, '\\$&');
