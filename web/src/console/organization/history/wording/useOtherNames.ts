import type { Names } from '@charter/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { api, useStandingQuery } from '../../../api';
import { type CallFailure, isCallFailure } from '../../../problem';
import type { ConsoleDispatch } from '../../../store';

/** A person or an API key: the name, the role in this history, and whether the person was erased. */
type OtherName = Names['names'][string];
/**
 * An entry for each id whose request has ended; undefined if the service has no name for the id, or has refused the
 * request.
 */
export type OtherNames = ReadonlyMap<string, OtherName | undefined>;

/** The maximum number of ids in one request (`docs/reference/history.md`, Names). */
const IDS_MAX = 100;
/** The time in milliseconds during which the page collects ids for one request. */
const COLLECT_MS = 50;

/** The pause in milliseconds before the page repeats a failed request. Each failure in a row doubles the pause. */
const RETRY_MS = 5_000;
const RETRY_MAX_MS = 60_000;

/** The ids of one organization whose names the page requests. */
type Wanted = {
  /** The ids that the next request contains. */
  readonly next: Set<string>;
  /** The ids that a request contained. After a failed request, its ids are removed from this set. */
  readonly asked: Set<string>;
  timer: ReturnType<typeof setTimeout> | undefined;
  failures: number;
};

const NONE: OtherNames = new Map();

/**
 * The names of members, former members, people with a platform role, and API keys. The page requests the names for the
 * ids that its texts contain. The names are stored separately for each organization, because another organization may
 * not show them. After a failed request, the texts contain the ids until a repetition succeeds.
 */
export function useOtherNames(id: string) {
  const { data: standing } = useStandingQuery(id);
  const mayAsk = standing?.reads.includes('names') === true;
  const dispatch = useDispatch<ConsoleDispatch>();
  const [named, setNamed] = useState<ReadonlyMap<string, OtherNames>>(new Map());
  const organizations = useRef(new Map<string, Wanted>());
  const isMounted = useRef(false);
  useEffect(() => {
    const all = organizations.current;
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      for (const { timer } of all.values()) clearTimeout(timer);
      all.clear();
    };
  }, []);

  const ask = useCallback(() => {
    const wanted = wantedOf(organizations.current, id);
    wanted.timer = undefined;
    const ids = [...wanted.next].slice(0, IDS_MAX);
    for (const one of ids) {
      wanted.next.delete(one);
      wanted.asked.add(one);
    }
    if (wanted.next.size > 0) wanted.timer = setTimeout(ask, COLLECT_MS);
    const addAnswer = (names: Partial<Names['names']>) =>
      setNamed((known) =>
        new Map(known).set(id, new Map([...(known.get(id) ?? []), ...ids.map((one) => [one, names[one]] as const)])),
      );
    dispatch(api.endpoints.names.initiate({ id, ids }, { subscribe: false, forceRefetch: true }))
      .unwrap()
      .then(
        ({ names }) => {
          wanted.failures = 0;
          addAnswer(names);
        },
        (failure: unknown) => {
          if (!isCallFailure(failure) || isRefused(failure)) {
            addAnswer({}); // a repetition would fail, too, so the filter must not wait for these names
            return;
          }
          for (const one of ids) {
            wanted.asked.delete(one);
            wanted.next.add(one);
          }
          wanted.failures += 1;
          wanted.timer ??= setTimeout(ask, Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** (wanted.failures - 1)));
        },
      );
  }, [dispatch, id]);
  /** Adds this id to the next request for names, if no request contained the id before. */
  const want = useCallback(
    (one: string) => {
      const wanted = wantedOf(organizations.current, id);
      if (!mayAsk || wanted.asked.has(one)) return;
      wanted.next.add(one);
      if (isMounted.current) wanted.timer ??= setTimeout(ask, COLLECT_MS);
    },
    [ask, id, mayAsk],
  );
  // The first request waits until the component is on the page: React would discard an earlier answer.
  useEffect(() => {
    const wanted = wantedOf(organizations.current, id);
    if (wanted.next.size > 0) wanted.timer ??= setTimeout(ask, COLLECT_MS);
  }, [ask, id]);
  return { others: named.get(id) ?? NONE, want };
}

function wantedOf(organizations: Map<string, Wanted>, id: string): Wanted {
  const known = organizations.get(id);
  if (known) return known;
  const wanted: Wanted = { next: new Set(), asked: new Set(), timer: undefined, failures: 0 };
  organizations.set(id, wanted);
  return wanted;
}

/** Whether the service refused the request, so that a repetition would be refused, too. */
const isRefused = ({ status }: CallFailure): boolean => status >= 400 && status < 500 && status !== 429;
