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
  const draft = draftIn(hash);
  const choose = useCallback(
    (name: string, value: string) => {
      const next = new URLSearchParams(query);
      if (value === '') next.delete(name);
      else next.set(name, value);
      void navigate({ pathname, search: next.toString(), hash });
    },
    [hash, navigate, pathname, query],
  );
  /** Chooses the order after the present order: first the default order, then `sorts`. */
  const chooseNextSort = (sorts: readonly string[]) => {
    const orders = ['', ...sorts];
    choose('sort', orders[(orders.indexOf(query.get('sort') ?? '') + 1) % orders.length] ?? '');
  };
  const type = useCallback(
    (q: string) => void navigate({ pathname, search, hash: fragmentOf({ draft, q }) }, { replace: true }),
    [draft, navigate, pathname, search],
  );
  const clear = useCallback(
    (...names: readonly string[]) => {
      const next = new URLSearchParams(query);
      for (const name of names) next.delete(name);
      void navigate({ pathname, search: next.toString(), hash: fragmentOf({ draft, q: '' }) });
    },
    [draft, navigate, pathname, query],
  );
  return { query, searched, choose, chooseNextSort, type, clear };
}
