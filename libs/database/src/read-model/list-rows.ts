import type { ListedRow } from '@charter/projections';
import type { CompiledQuery } from 'kysely';
import { inBulk } from '../transactions/bulk';
import type { Schema, Tables } from '../schema/schema';
import type { EditionKey } from './edition-key';

/** How names are ordered and searched: without case, in one writing for one text. */
export const sortText = (name: string): string => name.normalize('NFKC').toLowerCase();

/**
 * Writes the changed rows of these documents to the list. It compares with rows that were read before, so the result
 * holds only if no other process moves the checkpoint.
 */
export async function writeRows(
  tables: Tables,
  key: EditionKey,
  streams: readonly string[],
  rows: ReadonlyMap<string, ListedRow>,
): Promise<CompiledQuery[]> {
  const before = await rowsOf(tables, key, streams);
  const queries: CompiledQuery[] = [];
  const changed: ListRow[] = [];
  const places: Schema['list_tags'][] = [];
  for (const stream of streams) {
    const row = rows.get(stream);
    const old = before.get(stream);
    const next = row && printed(key, stream, row, old);
    if (next && !same(next, old)) changed.push(next);
    if (next?.tags === old?.tags && next?.sort === old?.sort) continue;
    const [gone, added] = moved(old, next);
    if (old) queries.push(...removePlaces(tables, old, gone));
    if (next) for (const tag of added) places.push({ ...key, tag, sort: next.sort, stream });
    if (!next) queries.push(remove(tables, key, stream));
  }
  return [...queries, ...upsertRows(tables, changed), ...insertPlaces(tables, places)];
}

type ListRow = Schema['list_rows'];

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

const printed = (
  key: EditionKey,
  stream: string,
  { name, tags, columns }: ListedRow,
  old: ListRow | undefined,
): ListRow => ({
  ...key,
  stream,
  name,
  sort: name === old?.name ? old.sort : sortText(name),
  tags: JSON.stringify([...new Set(tags)].sort()),
  columns: JSON.stringify(columns),
});

const same = (next: ListRow, old: ListRow | undefined) =>
  next.name === old?.name && next.tags === old.tags && next.columns === old.columns;

async function rowsOf(tables: Tables, { view, edition }: EditionKey, streams: readonly string[]) {
  const found = new Map<string, ListRow>();
  for (let start = 0; start < streams.length; start += 500) {
    const some = streams.slice(start, start + 500);
    const query = tables.selectFrom('list_rows').selectAll().where('view', '=', view).where('edition', '=', edition);
    for (const row of await query.where('stream', 'in', some).execute()) found.set(row.stream, row);
  }
  return found;
}

/** The lists that a row leaves, and those that it enters; under another name it does both with all of them. */
function moved(
  old: ListRow | undefined,
  next: ListRow | undefined,
): [gone: readonly string[], added: readonly string[]] {
  const [left, entered] = [listsOf(old), listsOf(next)];
  if (old?.sort !== next?.sort) return [left, entered];
  const [before, after] = [new Set(left), new Set(entered)];
  return [left.filter((tag) => !after.has(tag)), entered.filter((tag) => !before.has(tag))];
}

/** The empty tag is the list of all. */
const listsOf = (row: ListRow | undefined): string[] => (row ? ['', ...(JSON.parse(row.tags) as string[])] : []);

function removePlaces(tables: Tables, { view, edition, sort, stream }: ListRow, tags: readonly string[]) {
  const places = tables.deleteFrom('list_tags').where('view', '=', view).where('edition', '=', edition);
  const mine = places.where('sort', '=', sort).where('stream', '=', stream);
  const queries: CompiledQuery[] = [];
  for (let start = 0; start < tags.length; start += 500)
    queries.push(mine.where('tag', 'in', tags.slice(start, start + 500)).compile());
  return queries;
}

const insertPlaces = inBulk<Schema['list_tags']>(['view', 'edition', 'tag', 'sort', 'stream'], (tables, rows) =>
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
