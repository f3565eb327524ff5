import type { ValueChange } from '@charter/client';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useChangesInfiniteQuery } from '../../api';
import { eventWords } from '../../moment/event-words';
import { useHistoryWords } from '../history/wording/useHistoryWords';
import { EventDay } from '../lists/EventDay';
import type { Mark } from './compared-entries';

type MarkedEntry = Readonly<{ id: string; mark?: Mark }>;

/**
 * Finds the later event that removed, added or changed an entry of a list at the page's moment, with the event's actor.
 * The browser loads the changes of the list, newest first, until it has found the event of each marked entry.
 * @param path the path of the list in the organization's document
 * @param revision the revision that the page shows; undefined for the present
 */
export function useChangedBy(
  id: string,
  path: string,
  revision: number | undefined,
  entries: readonly MarkedEntry[],
): (entry: string, mark: Mark | undefined) => ReactNode {
  const words = useHistoryWords(id);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useChangesInfiniteQuery(
    { id, path },
    { skip: revision === undefined },
  );
  const loaded = useMemo(() => (data?.pages ?? []).flatMap(({ changes }) => changes), [data]);
  const later = useMemo(() => laterChanges(loaded, revision), [loaded, revision]);
  const misses = entries.some(({ id: entry, mark }) => mark !== undefined && !later.has(keyOf(mark, entry)));
  const last = loaded.at(-1);
  const hasLater = revision !== undefined && hasNextPage && last !== undefined && last.revision > revision;
  useEffect(() => {
    if (misses && hasLater && !isFetching && !isError) void fetchNextPage();
  });
  return (entry, mark) => {
    const change = mark && later.get(keyOf(mark, entry));
    if (!change) return undefined;
    const { event } = eventWords(change, words);
    return (
      <>
        <EventDay event={change.revision} at={change.at} isLater />{' '}
        {words.text('changes.by', { event, actor: words.actor(change.actor) })}
      </>
    );
  };
}

const keyOf = (mark: Mark, entry: string) => `${mark} ${entry}`;

/** The newest change after a revision, for each entry and each mark. */
function laterChanges(changes: readonly ValueChange[], revision: number | undefined): ReadonlyMap<string, ValueChange> {
  const found = new Map<string, ValueChange>();
  if (revision === undefined) return found;
  for (const change of changes) {
    if (change.revision <= revision) continue;
    for (const key of keysOf(change)) if (!found.has(key)) found.set(key, change);
  }
  return found;
}

function keysOf({ before, after }: ValueChange): readonly string[] {
  const [was, is] = [before ?? {}, after ?? {}];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((entry) => [
    keyOf('changed', entry),
    ...(Object.hasOwn(is, entry) ? [] : [keyOf('removed', entry)]),
    ...(Object.hasOwn(was, entry) ? [] : [keyOf('added', entry)]),
  ]);
}
