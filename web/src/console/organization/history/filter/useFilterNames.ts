import { useState } from 'react';
import { everyMember, useMemberPagesInfiniteQuery } from '../../../api';
import { PRESENT } from '../../../moment/page-moment';
import { useSettled } from '../../../page-parts/useSettled';
import { actorKinds, type FilterNames } from './filter-text';

type Searching = Readonly<{
  /** Whether the service still searches for the typed name. */
  isSearching: boolean;
  /** Searches again after a failed search; undefined if no search failed. */
  retrySearch: (() => unknown) | undefined;
}>;

const SEARCHED_MIN = 2;
const SEARCHED_MAX = 200;

/**
 * The names that a filter can contain: names on the page, and names of members that the service finds for the typed
 * name. The typed name is in the body of the request, so that no log of URLs contains the name.
 */
export function useFilterNames(id: string, typed: string, { people, sites }: FilterNames): FilterNames & Searching {
  const name = typedName(typed);
  const q = useSettled(name);
  const skip = q.length < SEARCHED_MIN || actorKinds.includes(q.toLowerCase());
  const { data, error, isFetching, refetch } = useMemberPagesInfiniteQuery(
    { id, moment: PRESENT, ...everyMember, q },
    { skip },
  );
  // The found names stay while the person types the next word, because the filter still contains them.
  const [found, setFound] = useState<ReadonlyMap<string, string>>(new Map());
  const added = (data?.pages ?? []).flatMap(({ members }) =>
    members.flatMap(({ user, name }) => (name && found.get(user) !== name ? [[user, name] as const] : [])),
  );
  if (added.length > 0) setFound(new Map([...found, ...added]));
  return {
    isSearching: isFetching || (name !== q && name.length >= SEARCHED_MIN),
    retrySearch: error !== undefined && !isFetching ? refetch : undefined,
    people: new Map([...found, ...people]),
    sites,
  };
}

/** The value after `actor:` or `about:` at the end of a filter. */
const typedName = (typed: string): string => {
  const [, quoted, plain] = /(?:^|\s)(?:actor|about):(?:"([^"]*)"?|(\S*))\s*$/i.exec(typed) ?? [];
  return (quoted ?? plain ?? '').slice(0, SEARCHED_MAX);
};
