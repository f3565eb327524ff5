import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Folded } from '@charter/decider';
import { type ProjectionCheckpoint, EMPTY_LOG_POSITION, type Position, POSITION_MAX } from '@charter/event-log';
import {
  type EditionChange,
  type Edition,
  Overtaken,
  type DocumentPage,
  type EditionStatus,
} from '@charter/projections';
import { sql } from 'kysely';
import { isOnServer } from '../dialect';
import { type AtomicWrite, inTransaction } from '../transactions/atomic-write';
import { inBulk } from '../transactions/bulk';
import { listRowWriter, type NewRows } from './list-rows';
import { fingerprints, listedDocuments } from './listed-documents';
import { parkedFrom, writeParked } from './parked-events';
import { databaseMoment } from '../database-clock';
import type { Schema, Tables, DatabaseTransaction } from '../schema/schema';
import { documentFrom } from './stored-document';
import type { EditionKey } from './edition-key';

/**
 * One edition of a view, stored in tables.
 * @param stamp a value that changes with each commit of any process; without it, each read of the status is a query
 */
export function editionOf<State>(
  tables: Tables,
  key: EditionKey,
  version: number,
  allOrNothing: AtomicWrite = inTransaction(tables),
  stamp?: () => number,
): Edition<State> {
  const keyColumns = { ...key };
  const listRows = listRowWriter(tables, key);

  const getMany = async (streams: readonly string[]) => {
    const found = new Map<string, Folded<State>>();
    for (const chunk of chunks(streams)) {
      const query = tables.selectFrom('documents').select(['stream', 'revision', 'at', 'state']);
      const rows = await query
        .where('view', '=', key.view)
        .where('edition', '=', key.edition)
        .where('stream', 'in', chunk)
        .execute();
      for (const each of rows) found.set(each.stream, documentFrom<State>(each));
    }
    return found;
  };

  let statusQuery: StatusQuery | undefined; // built once, because the projector reads the status ten times a second
  const readStatus = () => statusOf(tables, key, (statusQuery ??= createStatusQuery(tables, key)));
  return {
    id: key.edition,
    version,
    status: stamp ? cachedByStamp(stamp, readStatus) : readStatus,
    getMany,
    get: async (stream) => (await getMany([stream])).get(stream),
    revisions: async (streams) => {
      const found = new Map<string, number>();
      for (const chunk of chunks(streams)) {
        const query = tables.selectFrom('documents').select(['stream', 'revision']);
        const rows = await query
          .where('view', '=', key.view)
          .where('edition', '=', key.edition)
          .where('stream', 'in', chunk)
          .execute();
        for (const { stream, revision } of rows) found.set(stream, revision);
      }
      return found;
    },
    size: async () => {
      const counting = tables.selectFrom('documents').select(({ fn }) => fn.countAll<number | string>().as('count'));
      const ofThisEdition = counting.where('view', '=', key.view).where('edition', '=', key.edition);
      return Number((await ofThisEdition.executeTakeFirstOrThrow()).count); // a number or a text
    },
    page: (after, size, first) => onOneSnapshot(tables, (within) => pageOf<State>(within, key, after, size, first)),
    fingerprints: (after, size) => fingerprints(tables, key, after, size),
    commit: async (change) => {
      const newRows: NewRows = new Map();
      const queries = [moveCheckpoint(tables, key, change), ...writeParked(tables, key, change)];
      for (const chunk of chunks([...change.documents.keys()], SERIALIZED_MAX)) {
        const documents = chunk.map((stream) => rowOfDocument(keyColumns, stream, change.documents.get(stream)!));
        queries.push(...writeDocuments(tables, documents), ...(await listRows.changes(chunk, change.rows, newRows)));
        await yieldToEventLoop();
      }
      const isCommitted = await allOrNothing(queries).catch((error: unknown) => {
        listRows.clear(); // the database may have committed the change although its answer was lost
        throw error;
      });
      if (!isCommitted) {
        listRows.clear();
        throw new Overtaken(`Edition ${key.edition} of ${key.view}`);
      }
      listRows.keep(newRows);
    },
    analyze: async () => {
      if (!isOnServer(tables)) return; // SQLite chooses the same index without statistics
      await sql`analyze documents (view, edition, stream), list_rows (view, edition, stream)`.execute(tables);
    },
    report: async (reached) => {
      const { numUpdatedRows } = await tables
        .updateTable('editions')
        .set({ reached, heard_of: databaseMoment(tables) })
        .where('view', '=', key.view)
        .where('edition', '=', key.edition)
        .where('ended', 'is', null)
        .executeTakeFirst();
      if (numUpdatedRows !== 1n) throw new Overtaken(`Edition ${key.edition} of ${key.view}`);
    },
  };
}

/** The compare-and-set of `event-log.md` D1: if no row changes, another process has moved the checkpoint. */
const moveCheckpoint = (tables: Tables, { view, edition }: EditionKey, { from, to }: EditionChange<unknown>) =>
  tables
    .updateTable('editions')
    .set({
      store: to.store,
      position: to.position,
      event_position: to.lastEvent?.position ?? null,
      event_id: to.lastEvent?.id ?? null,
      commits: from.commits + 1,
    })
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('ended', 'is', null)
    .where('store', from.checkpoint ? '=' : 'is', from.checkpoint?.store ?? null)
    .where(({ eb, or }) =>
      from.checkpoint
        ? or([eb('position', '=', from.checkpoint.position), eb('position', '>', POSITION_MAX)])
        : eb('position', 'is', null),
    )
    .where('commits', '=', from.commits)
    .compile();

const writeDocuments = inBulk<Schema['documents']>(
  ['view', 'edition', 'stream', 'revision', 'at', 'state'],
  (tables, rows) =>
    tables
      .insertInto('documents')
      .values(rows)
      .onConflict((same) =>
        same.columns(['view', 'edition', 'stream']).doUpdateSet(({ ref }) => ({
          revision: ref('excluded.revision'),
          at: ref('excluded.at'),
          state: ref('excluded.state'),
        })),
      ),
);

/** One statement reads all values, so that they belong to the same moment. */
const createStatusQuery = (tables: Tables, { view, edition }: EditionKey) =>
  tables
    .selectFrom('editions as e')
    .innerJoin('views as v', 'v.name', 'e.view')
    .leftJoin('parked as p', (on) => on.onRef('p.view', '=', 'e.view').onRef('p.edition', '=', 'e.edition'))
    .select(['e.ended', 'e.store', 'e.position', 'e.event_position', 'e.event_id', 'e.commits', 'v.live', 'v.paused'])
    .select(['p.stream', 'p.revision', 'p.type', 'p.position as at', 'p.error', 'p.attempts', 'p.since', 'p.released'])
    .where('e.view', '=', view)
    .where('e.edition', '=', edition)
    .compile();
type StatusQuery = ReturnType<typeof createStatusQuery>;

/** Repeats a read only if the stamp has changed since the last successful read. */
function cachedByStamp<Value>(stamp: () => number, read: () => Promise<Value>): () => Promise<Value> {
  let last: Readonly<{ stamp: number; value: Value }> | undefined;
  return async () => {
    const before = stamp(); // before the read, so that a commit during the read changes the stamp
    if (last?.stamp !== before) last = { stamp: before, value: await read() };
    return last.value;
  };
}

async function statusOf(
  tables: Tables,
  key: EditionKey,
  query = createStatusQuery(tables, key),
): Promise<EditionStatus> {
  const { rows } = await tables.executeQuery(query);
  const [row] = rows;
  // The left join fills either all columns of `parked` or none of these columns.
  const parked = rows.flatMap(({ at, ...columns }) =>
    columns.stream === null ? [] : [{ ...columns, position: at } as unknown as Schema['parked']],
  );
  return {
    checkpoint: row && checkpointFrom(row),
    commits: row?.commits ?? 0,
    parked: new Map(parked.map((each) => [each.stream, parkedFrom(each)])),
    released: new Map(parked.filter(({ released }) => released > 0).map(({ stream, released }) => [stream, released])),
    paused: row?.paused === 1,
    place: !row || row.ended ? 'retired' : row.live === key.edition ? 'live' : 'building',
  };
}

/** Runs several reads on one snapshot of the tables, which later commits do not change. */
const onOneSnapshot = <Answer>(
  tables: Tables,
  work: (within: DatabaseTransaction) => Promise<Answer>,
): Promise<Answer> =>
  tables.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

async function pageOf<State>(
  within: DatabaseTransaction,
  key: EditionKey,
  after: string,
  size: number,
  first?: 'inclusive',
): Promise<DocumentPage<State>> {
  const documents = await listedDocuments<State>(within, key, after, size, first);
  return { documents, status: await statusOf(within, key) };
}

/**
 * The position up to which the edition contains the events. An earlier version of Charter stored impossible positions
 * from EventStoreDB 24.2. The function replaces an impossible position by the position of the last handled event.
 */
export const positionFrom = ({
  position,
  event_position,
}: Pick<Schema['editions'], 'position' | 'event_position'>): Position | undefined =>
  position !== null && position > POSITION_MAX ? (event_position ?? EMPTY_LOG_POSITION) : (position ?? undefined);

export const checkpointFrom = (
  row: Pick<Schema['editions'], 'store' | 'position' | 'event_position' | 'event_id'>,
): ProjectionCheckpoint | undefined => {
  const { store, event_position, event_id } = row;
  const position = positionFrom(row);
  if (store === null || position === undefined) return undefined;
  const lastEvent =
    event_position === null || event_id === null ? undefined : { position: event_position, id: event_id };
  return { store, position, ...(lastEvent && { lastEvent }) };
};

const rowOfDocument = (
  key: EditionKey,
  stream: string,
  { state, revision, at }: Folded<unknown>,
): Schema['documents'] => ({
  ...key,
  stream,
  revision,
  at,
  state: JSON.stringify(state),
});

function* chunks(streams: readonly string[], size = 500): Generator<readonly string[]> {
  for (let start = 0; start < streams.length; start += size) yield streams.slice(start, start + size);
}

/** The number of documents that a commit serializes before it lets the event loop run other work. */
const SERIALIZED_MAX = 128;
