import type { ListedRow } from '@charter/projections';
import type { CompiledQuery } from 'kysely';
import { LRUCache } from 'lru-cache';
import { inBulk } from '../transactions/bulk';
import type { Schema, Tables } from '../schema/schema';
import type { EditionKey } from './edition-key';

/** The text by which names are ordered and searched: Unicode-normalized (NFKC) and in lower case. */
export const sortText = (name: string): string => name.normalize('NFKC').toLowerCase();

/**
 * Writes the list rows of one edition. The writer caches the rows of its last commits, so that a commit reads and
 * parses only the other rows. A cached row equals the stored row: if another process commits meanwhile, the next commit
 * of this process fails.
 */
export function listRowWriter(tables: Tables, key: EditionKey) {
  const cached = new LRUCache<string, KnownRow>({ max: ROWS_CACHED });

  const knownRows = async (streams: readonly string[]) => {
    const known = new Map(streams.map((stream) => [stream, cached.get(stream)]));
    const unread = streams.filter((stream) => !known.get(stream));
    for (const [stream, row] of await rowsOf(tables, key, unread)) known.set(stream, row);
    return known;
  };
  return {
    /** Returns the queries that change the stored list rows of the given documents. Adds the rows to `newRows`. */
    changes: async (
      streams: readonly string[],
      rows: ReadonlyMap<string, ListedRow>,
      newRows: NewRows,
    ): Promise<CompiledQuery[]> => {
      const known = await knownRows(streams);
      const queries: CompiledQuery[] = [];
      const changed: ListRow[] = [];
      const tagRows: Schema['list_tags'][] = [];
      for (const stream of streams) {
        const row = rows.get(stream);
        const old = known.get(stream);
        const next = row && { row: toListRow(key, stream, row, old?.row), tags: row.tags };
        newRows.set(stream, next);
        if (next && !isSame(next.row, old?.row)) changed.push(next.row);
        if (next?.row.tags === old?.row.tags && next?.row.sort === old?.row.sort) continue;
        const [removed, added] = changedTags(old, next);
        if (old) queries.push(...removeTagRows(tables, old.row, removed));
        if (next) for (const tag of added) tagRows.push({ ...key, tag, sort: next.row.sort, stream });
        if (!next) queries.push(remove(tables, key, stream));
      }
      // The database writes sorted rows in half of the time, because neighbours are on the same page of the index.
      tagRows.sort(byTag);
      return [...queries, ...upsertRows(tables, changed), ...insertTagRows(tables, tagRows)];
    },
    /** Caches the rows of a successful commit. */
    keep: (newRows: NewRows): void => {
      for (const [stream, row] of newRows) {
        if (row) cached.set(stream, row);
        else cached.delete(stream);
      }
    },
    /** Clears the cache after a failed commit, because another process may have changed the stored rows. */
    clear: (): void => cached.clear(),
  };
}

const byTag = (one: Schema['list_tags'], other: Schema['list_tags']): number =>
  one.tag === other.tag ? compareTexts(one.sort, other.sort) : compareTexts(one.tag, other.tag);

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

type ListRow = Schema['list_rows'];

/** A stored row, and its tags as a list. */
type KnownRow = Readonly<{ row: ListRow; tags: readonly string[] }>;

/** The rows of a commit; `undefined` for a document that lists leave out. */
export type NewRows = Map<string, KnownRow | undefined>;

export const rowFrom = (row: {
  name: string | null;
  tags: string | null;
  columns: string | null;
}): ListedRow | undefined =>
  row.name === null || row.tags === null || row.columns === null
    ? undefined
    : {
        name: row.name,
        tags: JSON.parse(row.tags) as string[],
        columns: JSON.parse(row.columns) as ListedRow['columns'],
      };

const toListRow = (
  key: EditionKey,
  stream: string,
  { name, tags, columns }: ListedRow,
  old: ListRow | undefined,
): ListRow => ({
  ...key,
  stream,
  name,
  sort: name === old?.name ? old.sort : sortText(name),
  tags: JSON.stringify(tags), // sorted, each tag once
  columns: JSON.stringify(columns),
});

const isSame = (next: ListRow, old: ListRow | undefined) =>
  next.name === old?.name && next.tags === old.tags && next.columns === old.columns;

async function rowsOf(tables: Tables, { view, edition }: EditionKey, streams: readonly string[]) {
  const found = new Map<string, KnownRow>();
  for (let start = 0; start < streams.length; start += 500) {
    const chunk = streams.slice(start, start + 500);
    const query = tables.selectFrom('list_rows').selectAll().where('view', '=', view).where('edition', '=', edition);
    for (const row of await query.where('stream', 'in', chunk).execute())
      found.set(row.stream, { row, tags: JSON.parse(row.tags) as string[] });
  }
  return found;
}

/**
 * The tags to remove from a row and the tags to add. If the sort text changes, both lists contain all tags, because
 * each tag row contains the sort text.
 */
function changedTags(
  old: KnownRow | undefined,
  next: KnownRow | undefined,
): [removed: readonly string[], added: readonly string[]] {
  const [before, after] = [tagsOf(old), tagsOf(next)];
  return old?.row.sort === next?.row.sort ? [without(before, after), without(after, before)] : [before, after];
}

/** The texts of a sorted list that another sorted list lacks. */
function without(list: readonly string[], other: readonly string[]): string[] {
  let place = 0;
  return list.filter((text) => {
    while (place < other.length && other[place]! < text) place += 1;
    return other[place] !== text;
  });
}

/** Every row also has the empty tag, which is the tag of the list of all rows. */
const tagsOf = (known: KnownRow | undefined): string[] => (known ? ['', ...known.tags] : []);

function removeTagRows(tables: Tables, { view, edition, sort, stream }: ListRow, tags: readonly string[]) {
  if (tags.length === 0) return []; // saves the time in which Kysely would build the query
  const tagRows = tables.deleteFrom('list_tags').where('view', '=', view).where('edition', '=', edition);
  const ofStream = tagRows.where('sort', '=', sort).where('stream', '=', stream);
  const queries: CompiledQuery[] = [];
  for (let start = 0; start < tags.length; start += 500)
    queries.push(ofStream.where('tag', 'in', tags.slice(start, start + 500)).compile());
  return queries;
}

const insertTagRows = inBulk<Schema['list_tags']>(['view', 'edition', 'tag', 'sort', 'stream'], (tables, rows) =>
  tables.insertInto('list_tags').values(rows),
);

const upsertRows = inBulk<ListRow>(['view', 'edition', 'stream', 'name', 'sort', 'tags', 'columns'], (tables, rows) =>
  tables
    .insertInto('list_rows')
    .values(rows)
    .onConflict((sameKey) =>
      sameKey.columns(['view', 'edition', 'stream']).doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        sort: ref('excluded.sort'),
        tags: ref('excluded.tags'),
        columns: ref('excluded.columns'),
      })),
    ),
);

const remove = (tables: Tables, { view, edition }: EditionKey, stream: string) =>
  tables
    .deleteFrom('list_rows')
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('stream', '=', stream)
    .compile();

/** The maximum number of cached rows: as many as the documents that the projector caches. */
const ROWS_CACHED = 2_000;
