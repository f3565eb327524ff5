import type { TimelineMark } from '@charter/client';
import { useMemo } from 'react';
import { useEventsQuery } from '../../../api';

/** The service finds at most this number of the newest events, which is the maximum of one answer. */
const FOUND_MAX = 100;
/** The filters about facts that a mark does not contain, so the service finds their events. */
const foundByService = ['actor', 'about', 'correlation'] as const;

/**
 * Returns whether a mark belongs to the events that the filter in the address lets through. Every mark belongs to them
 * until the service has found the events, and if the service cannot find them.
 */
export function useFilteredMarks(
  id: string,
  search: string,
  marks: readonly TimelineMark[] | undefined,
): (mark: TimelineMark) => boolean {
  const { isOfType, wanted } = useMemo(() => {
    const address = new URLSearchParams(search);
    const listed = (name: string) => address.get(name)?.split(',').filter(Boolean) ?? [];
    const [types, without] = [listed('type'), listed('not-type')];
    return {
      isOfType: ({ type }: TimelineMark) => (types.length === 0 || types.includes(type)) && !without.includes(type),
      wanted: foundByService.flatMap((name) => {
        const value = address.get(name);
        return value === null || value === '' ? [] : [[name, value] as const];
      }),
    };
  }, [search]);
  const type = [...new Set(marks?.filter(isOfType).map((mark) => mark.type))].join();
  const { currentData: found } = useEventsQuery(
    { id, filter: { ...Object.fromEntries(wanted), type, order: 'newest', limit: String(FOUND_MAX) } },
    { skip: wanted.length === 0 || type === '' },
  );
  return useMemo(() => {
    if (!found) return isOfType;
    const revisions = new Set(found.events.map(({ revision }) => revision));
    const oldest = found.next === null ? 0 : (found.events.at(-1)?.revision ?? 0);
    return (mark) => isOfType(mark) && (mark.revision < oldest || revisions.has(mark.revision));
  }, [found, isOfType]);
}
