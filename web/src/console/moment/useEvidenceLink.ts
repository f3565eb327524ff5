import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { api } from '../api';
import type { ConsoleDispatch } from '../store';
import { draftIn } from '../draft/address/draft-fragment';
import { evidenceOf } from './evidence';
import { PRESENT, withMoment } from './page-moment';
import { usePageMoment } from './usePageMoment';

/**
 * Returns a function that makes a link to the page at its moment, with the revision and the beginning of the event's
 * hash. If the person may not read the history, or if a request fails, the link is the page's address. If the address
 * contains commands, the link has no moment, because commands change only the present.
 * @param id the organization of the page; undefined on pages that belong to no organization
 */
export function useEvidenceLink(id: string | undefined): () => Promise<string> {
  const { pathname, search, hash: fragment } = useLocation();
  const { moment, isUnreadable } = usePageMoment();
  const dispatch = useDispatch<ConsoleDispatch>();
  return useCallback(async () => {
    const linkWith = (query: string) => new URL(`${pathname}${query}${fragment}`, window.location.origin).href;
    const address = new URLSearchParams(search);
    const isOfCommands = pathname.endsWith('/draft') || address.has('try') || draftIn(fragment) !== undefined;
    if (isOfCommands) return linkWith(queryOfCommands(address, fragment));
    if (id === undefined || isUnreadable) return linkWith(search);
    const { standing, entitlements, event } = api.endpoints;
    try {
      const { reads } = await dispatch(standing.initiate(id, { subscribe: false })).unwrap();
      if (!reads.includes('history')) return linkWith(search);
      const { revision } = await dispatch(entitlements.initiate({ id, moment }, { subscribe: false })).unwrap();
      const { events } = await dispatch(event.initiate({ id, revision }, { subscribe: false })).unwrap();
      const hash = events[0]?.metadata?.hash;
      const query = new URLSearchParams(search);
      query.set('asOf', String(revision));
      if (hash !== undefined) query.set('head', evidenceOf(revision, hash));
      return linkWith(`?${query.toString()}`);
    } catch {
      return linkWith(search);
    }
  }, [dispatch, fragment, id, isUnreadable, moment, pathname, search]);
}

/**
 * The query string of a link to a page whose address contains commands. If the fragment contains the commands, the
 * query string does not ask for an undo.
 */
function queryOfCommands(address: URLSearchParams, fragment: string): string {
  const query = withMoment(address, PRESENT);
  for (const name of fragment === '' ? ['vs'] : ['vs', 'undo', 'only']) query.delete(name);
  return query.size === 0 ? '' : `?${query.toString()}`;
}
