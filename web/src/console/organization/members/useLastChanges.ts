import type { ValueChange } from '@charter/client';
import { useChangesInfiniteQuery, useStandingQuery } from '../../api';
import { useShownChanges } from '../../overview/useShownChanges';

/**
 * Returns a function that finds the last change of a member until the page's moment. A removal does not count. The
 * browser reads only the newest 100 changes of the list of members, and only for people who may read the history.
 */
export function useLastChanges(id: string): (member: string) => ValueChange | undefined {
  const { data: standing } = useStandingQuery(id);
  const skip = standing?.reads.includes('history') !== true;
  const { data } = useChangesInfiniteQuery({ id, path: '/members' }, { skip });
  const isShown = useShownChanges(id);
  const last = new Map<string, ValueChange>();
  for (const change of data?.pages.flatMap(({ changes }) => changes) ?? []) {
    if (!isShown?.(change)) continue;
    for (const member of Object.keys(change.after ?? {})) if (!last.has(member)) last.set(member, change);
  }
  return (member) => last.get(member);
}
