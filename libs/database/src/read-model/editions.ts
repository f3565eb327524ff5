import { EMPTY_LOG_POSITION } from '@charter/event-log';
import { RebuildInProgress, type EditionSummary, Outdated, Overtaken } from '@charter/projections';
import { sql } from 'kysely';
import { checkpointFrom, positionFrom } from './edition';
import { databaseMoment } from '../database-clock';
import type { Tables, DatabaseTransaction } from '../schema/schema';

/** Selects the live edition and its checkpoint. */
export const liveEditionOf = (tables: Tables | DatabaseTransaction, view: string) =>
  tables
    .selectFrom('views as v')
    .innerJoin('editions as e', (on) => on.onRef('e.view', '=', 'v.name').onRef('e.edition', '=', 'v.live'))
    .select(['e.edition', 'e.version', 'e.store', 'e.position', 'e.event_position', 'e.event_id'])
    .where('v.name', '=', view)
    .executeTakeFirst();

/**
 * Begins a build of a view; a view has at most one build at a time. Abandons an earlier build if its process no longer
 * reports progress, or if `takeOver` is true.
 */
export async function beginEdition(
  within: DatabaseTransaction,
  view: string,
  version: number,
  takeOver: boolean,
): Promise<number> {
  const { begun, live } = await within
    .insertInto('views')
    .values({ name: view, begun: 1, live: null, paused: 0 })
    .onConflict((same) => same.column('name').doUpdateSet(({ eb }) => ({ begun: eb('views.begun', '+', 1) })))
    .returning(['begun', 'live'])
    .executeTakeFirstOrThrow();
  const unfinished = await within
    .updateTable('editions')
    .set({ ended: 'abandoned' })
    .where('view', '=', view)
    .where('ended', 'is', null)
    .where('edition', '!=', live ?? 0)
    .returning(['edition', 'heard_of', isReporting(within).as('is_reporting')])
    .execute();
  const [other] = unfinished.filter(({ is_reporting }) => is_reporting);
  // The exception rolls the transaction back, so that the build of the other process is not abandoned.
  if (other && !takeOver) throw new RebuildInProgress(view, other.edition, other.heard_of!);
  const nothing = { store: null, position: null, event_position: null, event_id: null, commits: 0 };
  const initial = { ...nothing, reached: null, heard_of: databaseMoment(within) };
  await within
    .insertInto('editions')
    .values({ view, edition: begun, version, ended: null, ...initial })
    .execute();
  return begun;
}

/**
 * Whether a process has reported on this edition recently, by the database's clock. A report from the future does not
 * count: the clock was set back after the report.
 */
const isReporting = (tables: Tables | DatabaseTransaction) => {
  const [from, to] = [-SILENCE_MAX_MS, SILENCE_MAX_MS].map((later) => databaseMoment(tables, later));
  return sql`coalesce(heard_of between ${from} and ${to}, false)`;
};
const SILENCE_MAX_MS = 10_000;

/** Abandons an edition; changes nothing if the edition is live. */
export async function abandonEdition(within: DatabaseTransaction, view: string, edition: number): Promise<void> {
  if ((await lockView(within, view)).live === edition) return;
  await within
    .updateTable('editions')
    .set({ ended: 'abandoned' })
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('ended', 'is', null)
    .execute();
}

/** All editions except the abandoned editions, newest first. Abandoned editions only wait for their deletion. */
export async function editionsOf(tables: Tables, view: string): Promise<readonly EditionSummary[]> {
  const found = await tables
    .selectFrom('editions as e')
    .innerJoin('views as v', 'v.name', 'e.view')
    .select([
      'e.edition',
      'e.version',
      'e.ended',
      'e.position',
      'e.event_position',
      'e.reached',
      isReporting(tables).as('is_reporting'),
      'v.live',
    ])
    .where('e.view', '=', view)
    .where(({ or, eb }) => or([eb('e.ended', 'is', null), eb('e.ended', '=', 'retired')]))
    .orderBy('e.edition', 'desc')
    .execute();
  return found.map((row) => {
    const { edition, version, ended, reached, is_reporting, live } = row;
    const position = positionFrom(row);
    const [isLive, isOver] = [edition === live, ended === 'retired'];
    const place = isLive ? 'live' : isOver ? 'retired' : is_reporting ? 'building' : 'interrupted';
    return {
      edition,
      version,
      place,
      position: (isLive || isOver ? position : (reached ?? position)) ?? EMPTY_LOG_POSITION,
    };
  });
}

/**
 * Makes an edition live. @returns false, and changes nothing, if the edition is behind the live edition of the same log
 */
export async function activateEdition(
  within: DatabaseTransaction,
  view: string,
  edition: number,
  { liveIsOfLostLog = false }: Readonly<{ liveIsOfLostLog?: boolean }> = {},
): Promise<boolean> {
  const { live: liveId } = await lockView(within, view);
  // The two calls of `lockEdition` lock the next and the live edition, so no other process can commit to them.
  const next = await lockEdition(within, view, edition);
  if (!next) throw new Overtaken(`Edition ${edition} of ${view}`);
  const live = liveId === null ? undefined : await lockEdition(within, view, liveId);
  if (live && live.version > next.version) throw new Outdated(view, live.version, next.version);
  const [nextCheckpoint, liveCheckpoint] = [checkpointFrom(next), live && checkpointFrom(live)];
  const isBehind =
    liveCheckpoint !== undefined &&
    liveCheckpoint.store === nextCheckpoint?.store &&
    liveCheckpoint.position > nextCheckpoint.position;
  if (isBehind && !liveIsOfLostLog) return false;

  if (live) await retire(within, view, live.edition);
  await within.updateTable('views').set({ live: edition }).where('name', '=', view).execute();
  return true;
}

/**
 * Locks a view until this transaction ends, so no other process can begin, activate or abandon an edition. Returns the
 * id of the live edition.
 */
const lockView = (within: DatabaseTransaction, view: string) =>
  within
    .updateTable('views')
    .set(({ ref }) => ({ begun: ref('begun') }))
    .where('name', '=', view)
    .returning('live')
    .executeTakeFirstOrThrow();

/**
 * Locks an edition until this transaction ends, and returns its checkpoint; undefined if the edition is retired or
 * abandoned.
 */
const lockEdition = (within: DatabaseTransaction, view: string, edition: number) =>
  within
    .updateTable('editions')
    .set({ ended: null })
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('ended', 'is', null)
    .returning(['edition', 'version', 'store', 'position', 'event_position', 'event_id'])
    .executeTakeFirst();

const retire = (within: DatabaseTransaction, view: string, edition: number) =>
  within
    .updateTable('editions')
    .set({ ended: 'retired' })
    .where('view', '=', view)
    .where('edition', '=', edition)
    .execute();

/**
 * Deletes ended editions in batches, so that no writer waits long for the lock. @returns the number of deleted editions
 */
export async function clearEditions(tables: Tables, view: string, ended: 'retired' | 'abandoned'): Promise<number> {
  const editions = await tables
    .selectFrom('editions')
    .select('edition')
    .where('view', '=', view)
    .where('ended', '=', ended)
    .execute();
  for (const { edition } of editions) {
    for (const table of ['documents', 'list_rows', 'list_tags', 'parked'] as const) {
      while ((await deleteBatch(tables, table, view, edition)) > 0n);
    }
    await tables.deleteFrom('editions').where('view', '=', view).where('edition', '=', edition).execute();
  }
  return editions.length;
}

async function deleteBatch(
  tables: Tables,
  table: 'documents' | 'list_rows' | 'list_tags' | 'parked',
  view: string,
  edition: number,
) {
  const streams = tables
    .selectFrom(table)
    .select('stream')
    .where('view', '=', view)
    .where('edition', '=', edition)
    .limit(500);
  const batch = tables
    .deleteFrom(table)
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('stream', 'in', streams);
  return (await batch.executeTakeFirst()).numDeletedRows;
}
