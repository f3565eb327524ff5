import type { Names } from '@charter/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { api, useStandingQuery } from '../../../api';
import type { ConsoleDispatch } from '../../../store';

/** A key, or a person who is no member: the name, the role in this history, and whether the person was erased. */
export type OtherName = Names['names'][string];

/** The maximum number of ids in one request (`docs/reference/history.md`, Names). */
const IDS_MAX = 100;
/** The time in milliseconds during which the page collects ids for one request. */
const COLLECT_MS = 50;

/**
 * The names of former members, of people with a platform role and of keys. The page requests the names for the ids that
 * its texts contain. If a request fails, the texts keep the ids.
 */
export function useOtherNames(id: string) {
  const { data: standing } = useStandingQuery(id);
  const mayAsk = standing?.reads.includes('names') === true;
  const dispatch = useDispatch<ConsoleDispatch>();
  const [others, setOthers] = useState<ReadonlyMap<string, OtherName>>(new Map());
  const asked = useRef(new Set<string>());
  const wanted = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  const ask = useCallback(() => {
    timer.current = undefined;
    const ids = [...wanted.current].slice(0, IDS_MAX);
    for (const one of ids) {
      wanted.current.delete(one);
      asked.current.add(one);
    }
    if (wanted.current.size > 0) timer.current = setTimeout(ask, COLLECT_MS);
    dispatch(api.endpoints.names.initiate({ id, ids }, { subscribe: false }))
      .unwrap()
      .then(
        ({ names }) => setOthers((known) => new Map([...known, ...Object.entries(names)])),
        () => undefined,
      );
  }, [dispatch, id]);
  /** Adds this id to the next request for names, if no request contained the id before. */
  const want = useCallback(
    (one: string) => {
      if (!mayAsk || asked.current.has(one)) return;
      wanted.current.add(one);
      timer.current ??= setTimeout(ask, COLLECT_MS);
    },
    [ask, mayAsk],
  );
  return { others, want };
}
