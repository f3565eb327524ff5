import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { api } from '../../../api';
import type { ConsoleDispatch } from '../../../store';
import type { HistoryFilter } from '../filter/event-filter';
import { createEventPages, type EventPages } from './event-pages';

/** The events of a list up to the revision `head`. After a change of the filter or of `head`, a new list begins. */
export function useEventPages(id: string, filter: HistoryFilter, head: number): EventPages {
  const dispatch = useDispatch<ConsoleDispatch>();
  const [, redraw] = useState(0);
  const current = useRef<EventPages>(undefined);
  const load = useCallback(
    (query: Readonly<Record<string, string>>) =>
      dispatch(api.endpoints.events.initiate({ id, filter: query }, { subscribe: false, forceRefetch: true })).unwrap(),
    [dispatch, id],
  );
  const key = JSON.stringify(filter);
  const pages = useMemo(() => {
    const made: EventPages = createEventPages({
      load,
      filter: JSON.parse(key) as HistoryFilter,
      head,
      onChange: () => {
        if (current.current === made) redraw((count) => count + 1);
      },
    });
    return made;
  }, [load, key, head]);
  useEffect(() => {
    current.current = pages;
    return () => {
      current.current = undefined;
    };
  }, [pages]);
  return pages;
}
