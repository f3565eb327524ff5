import type { Row } from '@charter/event-log';
import { inBulk } from './bulk';
import type { EditionKey } from './edition';
import type { Schema, Within } from './schema';

/** How names are ordered and searched: without case, in one writing for one text. */
export const sortText = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Brings the list in line with these documents. What has not changed for the list is not written. */
export async function writeRows(
  within: Within,
  key: EditionKey,
  streams: readonly string[],
  rows: ReadonlyMap<string, Row>,
): Promise<void> {
  const before = await rowsOf(within, key, streams);
  const changed: ListRow[] = [];
  const places: Schema['list_tags'][] = [];
  for (const stream of streams) {
    const row = rows.get(stream);
    const old = before.get(stream);
    const next = row && printed(key, stream, row);
    if (next && !same(next, old)) changed.push(next);
    if (next?.tags === old?.tags && next?.sort === old?.sort) continue;
    const [gone, added] = moved(old, next);
    if (old) await removePlaces(within, old, gone);
    if (next) for (const tag of added) places.push({ ...key, tag, sort: next.sort, stream });
    if (!next) await remove(within, key, stream);
  }
  await upsertRows(within, changed);
  await insertPlaces(within, places);
}

type ListRow = Schema['list_rows'];

export const rowFrom = (row: { name: string | null; tags: string | null; columns: string | null }): Row | undefined =>
  row.name === null || row.tags === null || row.columns === null
    ? undefined
    : { name: row.name, tags: JSON.parse(row.tags) as string[], columns: JSON.parse(row.columns) as Row['columns'] };

const printed = (key: EditionKey, stream: string, { name, tags, columns }: Row): ListRow => ({
  ...key,
  stream,
  name,
  sort: sortText(name),
  tags: JSON.stringify([...new Set(tags)].sort()),
  columns: JSON.stringify(columns),
});

const same = (next: ListRow, old: ListRow | undefined) =>
  next.name === old?.name && next.tags === old.tags && next.columns === old.columns;

async function rowsOf(within: Within, { view, edition }: EditionKey, streams: readonly string[]) {
  const found = new Map<string, ListRow>();
  for (let start = 0; start < streams.length; start += 500) {
    const some = streams.slice(start, start + 500);
    const query = within.selectFrom('list_rows').selectAll().where('view', '=', view).where('edition', '=', edition);
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

async function removePlaces(within: Within, { view, edition, sort, stream }: ListRow, tags: readonly string[]) {
  const places = within.deleteFrom('list_tags').where('view', '=', view).where('edition', '=', edition);
  const mine = places.where('sort', '=', sort).where('stream', '=', stream);
  for (let start = 0; start < tags.length; start += 500)
    await mine.where('tag', 'in', tags.slice(start, start + 500)).execute();
}

const insertPlaces = inBulk<Schema['list_tags']>(['view', 'edition', 'tag', 'sort', 'stream'], (within, rows) =>
  within.insertInto('list_tags').values(rows),
);

const upsertRows = inBulk<ListRow>(['view', 'edition', 'stream', 'name', 'sort', 'tags', 'columns'], (within, rows) =>
  within
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

async function remove(within: Within, { view, edition }: EditionKey, stream: string): Promise<void> {
  await within
    .deleteFrom('list_rows')
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('stream', '=', stream)
    .execute();
}
