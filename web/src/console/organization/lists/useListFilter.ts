import { useCallback, useMemo } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { draftIn, fragmentOf, searchIn } from '../../draft/address/draft-fragment';

/**
 * The filter of a list, which the address contains: choices in the query string, and the search text in the fragment. A
 * search text may be a person's name, and a browser never sends the fragment. A choice adds an entry to the browser's
 * history; typing replaces the current entry.
 */
export function useListFilter() {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const searched = searchIn(hash);
  const choose = useCallback(
    (name: string, value: string) => {
      const next = queryNow();
      if (value === '') next.delete(name);
      else next.set(name, value);
      void navigate({ pathname, search: next.toString(), hash: window.location.hash });
    },
    [navigate, pathname],
  );
  /** Chooses the order after the present order: first the default order, then `sorts`. */
  const chooseNextSort = (sorts: readonly string[]) => {
    const orders = ['', ...sorts];
    choose('sort', orders[(orders.indexOf(queryNow().get('sort') ?? '') + 1) % orders.length] ?? '');
  };
  const type = useCallback(
    (q: string) => void navigate({ pathname, search: window.location.search, hash: fragmentNow(q) }, { replace: true }),
    [navigate, pathname],
  );
  const clear = useCallback(
    (...names: readonly string[]) => {
      const next = queryNow();
      for (const name of names) next.delete(name);
      void navigate({ pathname, search: next.toString(), hash: fragmentNow('') });
    },
    [navigate, pathname],
  );
  return { query, searched, choose, chooseNextSort, type, clear };
}

// The address of the window contains each earlier choice, also a choice that React has not rendered yet.
const queryNow = () => new URLSearchParams(window.location.search);
const fragmentNow = (q: string) => fragmentOf({ draft: draftIn(window.location.hash), q });
