import type { TimelineMark } from '@charter/client';
import { useMemo } from 'react';
import { useEventsQuery } from '../../../api';

/** The page requests this number of the newest events: the maximum of one answer. */
const FOUND_MAX = 100;
/** The filters by facts that a mark does not contain. The service finds the events that match them. */
const foundByService = ['actor', 'about', 'correlation'] as const;

/**
 * Returns a function: whether the event of a mark matches the filter in the address. Until the service has answered,
 * and if it cannot answer, this function checks only the types of events.
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
