import type { Folded } from '@charter/decider';
import { type DocumentStore, type Edition, Outdated } from '@charter/projections';
import { sql } from 'kysely';
import type { AtomicWrite } from '../transactions/atomic-write';
import { editionOf } from './edition';
import { abandonEdition, beginEdition, clearEditions, editionsOf, activateEdition, liveEditionOf } from './editions';
import { isOnServer } from '../dialect';
import { type ListPage, type ListQuery, listOf } from './lists';
import type { Schema, Tables } from '../schema/schema';
import { documentFrom } from './stored-document';
import { type TagCount, tagCountsOf } from './tag-counts';
import { batchWrites } from '../transactions/write-batching';
import { transact } from '../transactions/transact';
import type { ViewName, ViewShape } from './view-shape';

/**
 * The documents of one view for queries. The documents come from the live edition, if that edition has this code's
 * version of the view. The store hides the document of a parked stream, because the document lacks later events; the
 * caller then folds the stream.
 */
export interface ViewStore<State> extends DocumentStore<State> {
  get(stream: string): Promise<Folded<State> | undefined>;
  /** Reads a document's revision synchronously, for the routes with the most requests. Only SQLite offers this. */
  revisionSync?(stream: string): number | undefined;
  /**
   * A value that changes whenever this process or another process may have changed a document. Undefined if the
   * value is unknown.
   */
  stampSync?(): number | string | undefined;
  /** Whether the projector has parked the stream, so that the lists and tags of the stream lack its newest events. */
  isParked(stream: string): Promise<boolean>;
  list(query: ListQuery): Promise<ListPage>;
  /** Counts the list rows of each tag that begins with `prefix`. @throws ReadModelNotBuilt */
  tagCounts(prefix: string): Promise<readonly TagCount[]>;
}

export type ViewOptions = Readonly<{
  askSync?: QuerySync | undefined;
  /** The stamp that a process has read from the server, if the database runs on a server. */
  polledStamp?: (() => string | undefined) | undefined;
  /** Commits the projector's changes; by default in a transaction of `projected`. */
  allOrNothing?: AtomicWrite | undefined;
  /** The connections of projectors and rebuilds. */
  projected?: Tables;
}>;

/**
 * Prepares a synchronous query, which is possible only if the database runs in this process. The prepared query
 * returns its first row.
 */
export type QuerySync = (
  sql: string,
) => (...parameters: readonly (string | number)[]) => Record<string, unknown> | undefined;

export function viewStore<State>(
  tables: Tables,
  shape: ViewShape<State>,
  { askSync, polledStamp, allOrNothing, projected = tables }: ViewOptions = {},
): ViewStore<State> {
  const { name: view, version } = shape;
  const sync = askSync && synchronousReads(shape, askSync);
  const edition = (id: number, editionVersion = version): Edition<State> =>
    editionOf<State>(projected, { view, edition: id }, editionVersion, allOrNothing, sync?.commits);
  const find = documentFinder(tables, shape);

  return {
    ...(polledStamp && { stampSync: polledStamp }),
    ...(sync && { stampSync: sync.stamp, revisionSync: sync.revision }),
    get: async (stream) => {
      const found = await find(stream);
      return found && documentFrom<State>(found);
    },
    isParked: async (stream) => (await parkedIn(tables, shape, stream).executeTakeFirst()) !== undefined,
    list: (query) => listOf(tables, shape, query),
    tagCounts: (prefix) => tagCountsOf(tables, shape, prefix),
    live: async () => {
      const live = await liveEditionOf(projected, view);
      if (live && live.version > version) throw new Outdated(view, live.version, version);
      return live && edition(live.edition, live.version);
    },
    begin: async ({ takeOver = false } = {}) => {
      const id = await transact(projected, (within) => beginEdition(within, view, version, takeOver));
      return edition(id);
    },
    abandon: ({ id }) => transact(projected, (within) => abandonEdition(within, view, id)),
    sweep: async () => {
      await clearEditions(projected, view, 'abandoned');
    },
    editions: () => editionsOf(projected, view),
    activate: ({ id }, options) => transact(projected, (within) => activateEdition(within, view, id, options)),
    dropRetired: () => clearEditions(projected, view, 'retired'),
    pause: () => setPaused(projected, view, { paused: 1 }),
    resume: () => setPaused(projected, view, { paused: 0 }),
    release: async (stream) => {
      const live = await liveEditionOf(projected, view);
      if (!live) return false;
      const counting = projected.updateTable('parked').set(({ eb }) => ({ released: eb('released', '+', 1) }));
      const ofView = counting.where('view', '=', view);
      const { numUpdatedRows } = await ofView
        .where('edition', '=', live.edition)
        .where('stream', '=', stream)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

type Found = Pick<Schema['documents'], 'revision' | 'at' | 'state'>;

/** Returns a function that finds the document of a stream. On PostgreSQL, simultaneous callers share one query. */
function documentFinder(tables: Tables, shape: ViewName): (stream: string) => Promise<Found | undefined> {
  if (!isOnServer(tables))
    return (stream) => shownDocuments(tables, shape).where('d.stream', '=', stream).executeTakeFirst();
  return batchWrites(async (streams) => {
    const distinct = [...new Set(streams)];
    const rows = await shownDocuments(tables, shape)
      .select('d.stream')
      .where('d.stream', '=', anyOf(distinct))
      .execute();
    const found = new Map(rows.map((row) => [row.stream, row]));
    return streams.map((stream) => found.get(stream));
  }, STREAMS_PER_QUERY);
}

const STREAMS_PER_QUERY = 200;
/** Passes the values as one array parameter, so that the statement's text does not depend on the number of values. */
const anyOf = (values: readonly string[]) => sql<string>`any(${values}::text[])`;

/** Selects the documents that queries may return: in the live edition, of this code's version, and not parked. */
const shownDocuments = (tables: Tables, { name, version }: ViewName) =>
  tables
    .selectFrom('views as v')
    .innerJoin('editions as e', (on) => on.onRef('e.view', '=', 'v.name').onRef('e.edition', '=', 'v.live'))
    .innerJoin('documents as d', (on) => on.onRef('d.view', '=', 'e.view').onRef('d.edition', '=', 'e.edition'))
    .select(['d.revision', 'd.at', 'd.state'])
    .where('v.name', '=', name)
    .where('e.version', '=', version)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('parked as p')
            .select('p.stream')
            .whereRef('p.view', '=', 'd.view')
            .whereRef('p.edition', '=', 'd.edition')
            .whereRef('p.stream', '=', 'd.stream'),
        ),
      ),
    );

/** Selects the row of a stream that is parked in the live edition of this code's version. */
const parkedIn = (tables: Tables, { name, version }: ViewName, stream: string) =>
  tables
    .selectFrom('views as v')
    .innerJoin('editions as e', (on) => on.onRef('e.view', '=', 'v.name').onRef('e.edition', '=', 'v.live'))
    .innerJoin('parked as p', (on) => on.onRef('p.view', '=', 'e.view').onRef('p.edition', '=', 'e.edition'))
    .select('p.stream')
    .where('v.name', '=', name)
    .where('e.version', '=', version)
    .where('p.stream', '=', stream);

/**
 * The query of `shownDocuments` as SQL text, because Kysely takes longer to build a query than SQLite takes to run it.
 */
function synchronousReads({ name, version }: ViewName, askSync: QuerySync) {
  const revision = askSync(`select d.revision from views v join editions e on e.view = v.name and e.edition = v.live
    join documents d on d.view = e.view and d.edition = e.edition and d.stream = ?
    where v.name = ? and e.version = ?
    and not exists (select 1 from parked p where p.view = d.view and p.edition = d.edition and p.stream = d.stream)`);
  const live = askSync(`select v.live || ' ' || e.commits as stamp from views v
    join editions e on e.view = v.name and e.edition = v.live where v.name = ?`);
  const dataVersion = askSync('pragma data_version');
  /** Changes with each commit of another connection. This connection never writes, so no commit is missed. */
  const commits = () => dataVersion()!['data_version'] as number;
  let last: Readonly<{ commits: number; stamp: string }> | undefined;
  return {
    commits,
    revision: (stream: string) => revision(stream, name, version)?.['revision'] as number | undefined,
    /**
     * The live edition and its number of commits. Most commits to the file, for example of leases and sessions, change
     * no document. After such a commit, the stamp is the same.
     */
    stamp: () => {
      const now = commits();
      if (last?.commits !== now) last = { commits: now, stamp: String(live(name)?.['stamp']) };
      return last.stamp;
    },
  };
}

async function setPaused(tables: Tables, view: string, { paused }: { paused: number }): Promise<void> {
  await tables
    .insertInto('views')
    .values({ name: view, begun: 0, live: null, paused })
    .onConflict((same) => same.column('name').doUpdateSet({ paused }))
    .execute();
}
