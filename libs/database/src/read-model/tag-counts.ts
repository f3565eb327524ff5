import { ReadModelNotBuilt } from '@charter/projections';
import type { Tables } from '../schema/schema';
import { liveEditionOf } from './editions';
import { isListed } from './lists';
import type { ViewName } from './view-shape';

/** A tag, and the number of list rows with this tag. */
export type TagCount = Readonly<{ tag: string; rows: number }>;

/**
 * Counts the list rows of each tag that begins with `prefix`. The query reads only the index of the tags, no document.
 * @param prefix ends with an ASCII character
 * @throws ReadModelNotBuilt
 */
export async function tagCountsOf(
  tables: Tables,
  { name, version, listedSince = version }: ViewName,
  prefix: string,
): Promise<readonly TagCount[]> {
  const found = await tables
    .selectFrom('views as v')
    .innerJoin('editions as e', (on) => on.onRef('e.view', '=', 'v.name').onRef('e.edition', '=', 'v.live'))
    .innerJoin('list_tags as t', (on) => on.onRef('t.view', '=', 'e.view').onRef('t.edition', '=', 'e.edition'))
    .select(['t.tag', ({ fn }) => fn.countAll<number | string>().as('rows')])
    .where('v.name', '=', name)
    .where('e.version', '>=', listedSince)
    .where('e.version', '<=', version)
    .where('t.tag', '>=', prefix)
    .where('t.tag', '<', textAfter(prefix))
    .groupBy('t.tag')
    .orderBy('t.tag')
    .execute();
  if (found.length === 0 && !isListed((await liveEditionOf(tables, name))?.version, { name, version, listedSince }))
    // An empty answer would be wrong, because the read model is not built yet.
    throw new ReadModelNotBuilt(name, version);
  return found.map(({ tag, rows }) => ({ tag, rows: Number(rows) }));
}

/** The first text after all texts that begin with `prefix`. Both databases compare the bytes of texts. */
const textAfter = (prefix: string) =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
