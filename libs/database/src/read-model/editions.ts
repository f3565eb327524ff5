import { EMPTY_LOG_POSITION } from '@charter/event-log';
import { RebuildInProgress, type EditionSummary, Outdated, Overtaken } from '@charter/projections';
import { sql } from 'kysely';
import { checkpointFrom } from './edition';
import { databaseMoment } from '../database-clock';
import type { Tables, DatabaseTransaction } from '../schema/schema';

/** The edition that answers, and where it stands. */
export const liveEditionOf = (tables: Tables | DatabaseTransaction, view: string) =>
  tables
    .selectFrom('views as v')
    .innerJoin('editions as e', (on) => on.onRef('e.view', '=', 'v.name').onRef('e.edition', '=', 'v.live'))
    .select(['e.edition', 'e.version', 'e.store', 'e.position', 'e.event_position', 'e.event_id'])
    .where('v.name', '=', view)
    .executeTakeFirst();

/** One build at a time: an earlier build that is taken over, or has not reported for a while, is overtaken. */
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
    .returning(['edition', 'heard_of', isHeardOf(within).as('is_heard')])
    .execute();
  const [other] = unfinished.filter(({ is_heard }) => is_heard);
  if (other && !takeOver) throw new RebuildInProgress(view, other.edition, other.heard_of!); // and nothing is done
  const nothing = { store: null, position: null, event_position: null, event_id: null, commits: 0 };
  const place = { ...nothing, reached: null, heard_of: databaseMoment(within) };
  await within
    .insertInto('editions')
    .values({ view, edition: begun, version, ended: null, ...place })
    .execute();
  return begun;
}

/** Whether a process is building it, by the clock of the leases. */
const isHeardOf = (tables: Tables | DatabaseTransaction) =>
  sql`coalesce(heard_of > ${databaseMoment(tables, -SILENCE_MAX_MS)}, false)`;
const SILENCE_MAX_MS = 10_000;

export const abandonEdition = async (tables: Tables, view: string, edition: number): Promise<void> => {
  const { live } = (await tables.selectFrom('views').select('live').where('name', '=', view).executeTakeFirst()) ?? {};
  if (live === edition) return;
  await tables
    .updateTable('editions')
    .set({ ended: 'abandoned' })
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('ended', 'is', null)
    .execute();
};

/** All editions, the newest first, without those that were given up and wait for deletion. */
export async function editionsOf(tables: Tables, view: string): Promise<readonly EditionSummary[]> {
  const found = await tables
    .selectFrom('editions as e')
    .innerJoin('views as v', 'v.name', 'e.view')
    .select([
      'e.edition',
      'e.version',
      'e.ended',
      'e.position',
      'e.reached',
      isHeardOf(tables).as('is_heard'),
      'v.live',
    ])
    .where('e.view', '=', view)
    .where(({ or, eb }) => or([eb('e.ended', 'is', null), eb('e.ended', '=', 'retired')]))
    .orderBy('e.edition', 'desc')
    .execute();
  return found.map(({ edition, version, ended, position, reached, is_heard, live }) => {
    const [isLive, isOver] = [edition === live, ended === 'retired'];
    const place = isLive ? 'live' : isOver ? 'retired' : is_heard ? 'building' : 'interrupted';
    return {
      edition,
      version,
      place,
      position: (isLive || isOver ? position : (reached ?? position)) ?? EMPTY_LOG_POSITION,
    };
  });
}

/** One edition takes the place of another. */
export async function activateEdition(
  within: DatabaseTransaction,
  view: string,
  edition: number,
  { liveIsOfLostLog = false }: Readonly<{ liveIsOfLostLog?: boolean }> = {},
): Promise<boolean> {
  // Written first, so that no other process activates, begins or commits meanwhile, in either database.
  const { live: before } = await within
    .updateTable('views')
    .set(({ ref }) => ({ begun: ref('begun') }))
    .where('name', '=', view)
    .returning('live')
    .executeTakeFirstOrThrow();
  const mine = await stopped(within, view, edition);
  if (!mine) throw new Overtaken(`Edition ${edition} of ${view}`);
  const live = before === null ? undefined : await stopped(within, view, before);
  if (live && live.version > mine.version) throw new Outdated(view, live.version, mine.version);
  const [here, there] = [checkpointFrom(mine), live && checkpointFrom(live)];
  const isBehind = there !== undefined && there.store === here?.store && there.position > here.position;
  if (isBehind && !liveIsOfLostLog) return false;

  if (live) await end(within, view, live.edition);
  await within.updateTable('views').set({ live: edition }).where('name', '=', view).execute();
  return true;
}

/** The checkpoint of an edition that has not ended. It stays until this transaction ends. */
const stopped = (within: DatabaseTransaction, view: string, edition: number) =>
  within
    .updateTable('editions')
    .set({ ended: null })
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('ended', 'is', null)
    .returning(['edition', 'version', 'store', 'position', 'event_position', 'event_id'])
    .executeTakeFirst();

const end = (within: DatabaseTransaction, view: string, edition: number) =>
  within
    .updateTable('editions')
    .set({ ended: 'retired' })
    .where('view', '=', view)
    .where('edition', '=', edition)
    .execute();

/** Deletes editions piece by piece, so that no writer waits long for the lock; returns their number. */
export async function clearEditions(tables: Tables, view: string, ended: 'retired' | 'abandoned'): Promise<number> {
  const editions = await tables
    .selectFrom('editions')
    .select('edition')
    .where('view', '=', view)
    .where('ended', '=', ended)
    .execute();
  for (const { edition } of editions) {
    for (const table of ['documents', 'list_rows', 'list_tags', 'parked'] as const) {
      while ((await clearSome(tables, table, view, edition)) > 0n);
    }
    await tables.deleteFrom('editions').where('view', '=', view).where('edition', '=', edition).execute();
  }
  return editions.length;
}

async function clearSome(
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
  const some = tables
    .deleteFrom(table)
    .where('view', '=', view)
    .where('edition', '=', edition)
    .where('stream', 'in', streams);
  return (await some.executeTakeFirst()).numDeletedRows;
}
