import type { Since, ValueChange } from '@charter/client';
import { useChangesInfiniteQuery } from '../../api';

/**
 * The events that removed entries of a list after the page's moment, by the ids of the entries. Only the newest changes
 * of the list are loaded, so an event may be missing.
 * @param revision the revision that the page shows; undefined for the present
 */
export function useRemovals(
  id: string,
  list: 'members' | 'sites',
  revision: number | undefined,
): ReadonlyMap<string, Since> {
  const { data } = useChangesInfiniteQuery({ id, path: `/${list}` }, { skip: revision === undefined });
  const removals = new Map<string, Since>();
  if (revision === undefined) return removals;
  for (const change of data?.pages.flatMap(({ changes }) => changes) ?? [])
    if (change.revision > revision)
      for (const entry of removedBy(change))
        if (!removals.has(entry)) removals.set(entry, { event: change.revision, at: change.at });
  return removals;
}

/** The ids of the entries that a change of a list removes. */
const removedBy = ({ before, after }: ValueChange): readonly string[] =>
  Object.keys(before ?? {}).filter((entry) => !Object.hasOwn(after ?? {}, entry));
