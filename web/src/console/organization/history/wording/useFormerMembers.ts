import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { api } from '../../../api';
import type { ConsoleDispatch } from '../../../store';

/** The maximum number of events in one answer of the service. */
const PAGE_SIZE = 100;
/**
 * The maximum number of requests. A filter cannot find a former member by name if the removal is older than the events
 * in the loaded answers.
 */
const REQUESTS_MAX = 10;

type FormerMembers = Readonly<{
  ids: readonly string[];
  isComplete: boolean;
  /** Loads the events again after a failed request; undefined if no request failed. */
  retry?: () => void;
}>;

const NONE: FormerMembers = { ids: [], isComplete: false };

/**
 * The ids of the members whom the newest `MemberRemoved` events removed.
 * @param isWanted whether to load these events. If false, the page sends no request.
 */
export function useFormerMembers(id: string, isWanted: boolean): FormerMembers {
  const dispatch = useDispatch<ConsoleDispatch>();
  const [former, setFormer] = useState<FormerMembers>(NONE);
  useEffect(() => {
    if (!isWanted) return undefined;
    const gone = new AbortController();
    const load = async (known: readonly string[], cursor: string | undefined, request: number): Promise<void> => {
      const filter = {
        ...{ type: 'MemberRemoved', order: 'newest', limit: String(PAGE_SIZE) },
        ...(cursor !== undefined && { cursor }),
      };
      const asked = api.endpoints.events.initiate({ id, filter }, { subscribe: false, forceRefetch: true });
      const { data } = await dispatch(asked);
      if (gone.signal.aborted) return;
      if (!data) {
        const retry = () => {
          setFormer(NONE);
          void load(known, cursor, request);
        };
        setFormer({ ids: known, isComplete: true, retry });
        return;
      }
      const removed = data.events.map((event) => event.data?.['member']);
      const ids = [...new Set([...known, ...removed.filter((member) => typeof member === 'string')])];
      const next = request < REQUESTS_MAX ? (data.next ?? undefined) : undefined;
      setFormer({ ids, isComplete: next === undefined });
      if (next !== undefined) await load(ids, next, request + 1);
    };
    void load([], undefined, 1);
    return () => gone.abort();
  }, [dispatch, id, isWanted]);
  return former;
}
