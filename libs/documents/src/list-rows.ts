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
  const changed: Schema['list_rows'][] = [];
  for (const stream of streams) {
    const row = rows.get(stream);
    const old = before.get(stream);
    const next = row && printed(key, stream, row);
    if (next && !same(next, old)) changed.push(next);
    await writeTags(within, key, stream, old?.tags ?? '[]', next?.tags ?? '[]');
    if (old && !next) await remove(within, key, stream);
  }
  await upsertRows(within, changed);
}

export const rowFrom = (row: { name: string | null; tags: string | null; columns: string | null }): Row | undefined =>
  row.name === null || row.tags === null || row.columns === null
    ? undefined
    : { name: row.name, tags: JSON.parse(row.tags) as string[], columns: JSON.parse(row.columns) as Row['columns'] };

const printed = (key: EditionKey, stream: string, { name, tags, columns }: Row): Schema['list_rows'] => ({
  ...key,
  stream,
  name,
  sort: sortText(name),
  tags: JSON.stringify([...new Set(tags)].sort()),
  columns: JSON.stringify(columns),
});

const same = (next: Schema['list_rows'], old: Schema['list_rows'] | undefined) =>
  next.name === old?.name && next.tags === old.tags && next.columns === old.columns;

async function rowsOf(within: Within, { view, edition }: EditionKey, streams: readonly string[]) {
  const found = new Map<string, Schema['list_rows']>();
  for (let start = 0; start < streams.length; start += 500) {
    const some = streams.slice(start, start + 500);
    const query = within.selectFrom('list_rows').selectAll().where('view', '=', view).where('edition', '=', edition);
    for (const row of await query.where('stream', 'in', some).execute()) found.set(row.stream, row);
  }
  return found;
}

async function writeTags(
  within: Within,
  key: EditionKey,
  stream: string,
  before: string,
  after: string,
): Promise<void> {
  if (before === after) return;
  const [old, next] = [JSON.parse(before) as string[], JSON.parse(after) as string[]];
  const [kept, wanted] = [new Set(old), new Set(next)];
  const gone = old.filter((tag) => !wanted.has(tag));
  const { view, edition } = key;
  const mine = within
    .deleteFrom('list_tags')
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('stream', '=', stream);
  for (let start = 0; start < gone.length; start += 500)
    await mine.where('tag', 'in', gone.slice(start, start + 500)).execute();
  const added = next.filter((tag) => !kept.has(tag));
  await insertTags(
    within,
    added.map((tag) => ({ view, edition, tag, stream })),
  );
}

const insertTags = inBulk<Schema['list_tags']>(['view', 'edition', 'tag', 'stream'], (within, rows) =>
  within.insertInto('list_tags').values(rows),
);

const upsertRows = inBulk<Schema['list_rows']>(
  ['view', 'edition', 'stream', 'name', 'sort', 'tags', 'columns'],
  (within, rows) =>
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
