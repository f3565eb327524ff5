import type { ValueChange } from '@charter/client';
import { type ReactNode, useEffect, useMemo } from 'react';
import { useChangesInfiniteQuery } from '../../api';
import { eventWords } from '../../moment/event-words';
import { useHistoryWords } from '../history/wording/useHistoryWords';
import { EventDay } from '../lists/EventDay';
import { ValuesLink } from '../lists/ValuesLink';
import type { OrganizationAnswers } from '../OrganizationFrame';
import type { Mark } from './compared-entries';

type MarkedEntry = Readonly<{ id: string; mark?: Mark }>;
type Sides = Readonly<{ here: number; there: number }>;

/** The revisions of the two sides of a comparison; undefined if the page compares with nothing, or while one loads. */
export const sidesOf = ({ entitlements, other }: OrganizationAnswers): Sides | undefined =>
  entitlements.data && other?.entitlements
    ? { here: entitlements.data.revision, there: other.entitlements.revision }
    : undefined;

/** The maximum number of pages of changes that the browser keeps for a list: 2,000 changes. */
const PAGES_MAX = 20;

/**
 * Names the event between the two sides of a comparison that removed, added or changed an entry of a list, and the
 * event's actor. The browser loads the changes of the list, the newest first, until each marked entry has its event, or
 * until `PAGES_MAX` pages are loaded. If no loaded event explains an entry, the entry gets a link to its changes
 * instead.
 * @param path the path of the list in the document
 * @param sides undefined if the page compares with nothing
 */
export function useChangedBy(
  id: string,
  path: string,
  sides: Sides | undefined,
  entries: readonly MarkedEntry[],
): (entry: string, mark: Mark | undefined) => ReactNode {
  const words = useHistoryWords(id);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useChangesInfiniteQuery(
    { id, path },
    { skip: sides === undefined },
  );
  const loaded = useMemo(() => (data?.pages ?? []).flatMap(({ changes }) => changes), [data]);
  const here = sides?.here ?? 0;
  const [first, last] = sides ? [Math.min(here, sides.there), Math.max(here, sides.there)] : [0, 0];
  const between = useMemo(() => changesBetween(loaded, first, last), [loaded, first, last]);
  const misses = entries.some(({ id: entry, mark }) => mark !== undefined && !between.has(keyOf(mark, entry)));
  const oldest = loaded.at(-1);
  const hasMore = sides !== undefined && hasNextPage && oldest !== undefined && oldest.revision > first;
  const isFull = (data?.pages.length ?? 0) >= PAGES_MAX;
  useEffect(() => {
    if (misses && hasMore && !isFull && !isFetching && !isError) void fetchNextPage();
  });
  return (entry, mark) => {
    if (!mark) return undefined;
    const change = between.get(keyOf(mark, entry));
    if (!change) return hasMore && isFull ? <ValuesLink path={`${path}/${entry}`} of={entry} /> : undefined;
    const { event } = eventWords(change, words);
    return (
      <>
        <EventDay event={change.revision} at={change.at} isLater={change.revision > here} />{' '}
        {words.text('changes.by', { event, actor: words.actor(change.actor) })}
      </>
    );
  };
}

const keyOf = (mark: Mark, entry: string) => `${mark} ${entry}`;

/** The newest change after the first revision, until the last revision, for each entry and each mark. */
function changesBetween(
  changes: readonly ValueChange[],
  first: number,
  last: number,
): ReadonlyMap<string, ValueChange> {
  const found = new Map<string, ValueChange>();
  for (const change of changes) {
    if (change.revision <= first || change.revision > last) continue;
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
