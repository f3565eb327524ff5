import type { EventPage, ValueChanges } from '@charter/client';
import { useCallback, useMemo } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { api } from '../../api';
import { organizationPages } from '../../organization/organization-pages';
import { pathOfWhy } from '../../overview/why-address';
import type { ConsoleDispatch } from '../../store';

/**
 * The paths that the open page shows, in the form of the query parameter `about`; empty if the page shows the whole
 * organization.
 */
function pathsOfPage(pathname: string): readonly string[] {
  const [, , , page = '', item] = pathname.split('/');
  const { follows = [] } = organizationPages.find(({ path }) => path === page) ?? {};
  return item === undefined ? follows : follows.map((path) => `${path}/${item}`);
}

/**
 * The path of the value that the address contains. On the overview, returns the value whose explanation is open. On the
 * page about the changes of one value, returns this value.
 */
function valueOfPage(pathname: string, search: URLSearchParams): string | undefined {
  const [, , , page = ''] = pathname.split('/');
  const why = page === 'overview' ? search.get('why') : null;
  if (why !== null) return pathOfWhy(why);
  return page === 'changes' ? search.get('path') || undefined : undefined;
}

/**
 * The filter that finds the nearest event about a path, beginning at a revision. The search goes towards newer events
 * if `by` is 1, and towards older events if it is -1.
 */
const nearestTo = (revision: number, by: 1 | -1, about: string) => ({
  ...{ about, limit: '1', order: by === 1 ? 'oldest' : 'newest' },
  ...(by === 1 ? { from: String(revision) } : { to: String(revision) }),
});

/**
 * Returns a function that finds the previous or next event that changed the page; undefined if each event can change
 * the page. If the address names one value, the returned function finds changes of that value.
 */
export function usePageSteps(id: string) {
  const { pathname, search } = useLocation();
  const dispatch = useDispatch<ConsoleDispatch>();
  const paths = useMemo(() => pathsOfPage(pathname), [pathname]);
  const value = useMemo(() => valueOfPage(pathname, new URLSearchParams(search)), [pathname, search]);
  const findChange = useCallback(
    async (revision: number, by: 1 | -1, path: string): Promise<number | undefined> => {
      let later: number | undefined;
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: ValueChanges = await dispatch(
          api.endpoints.changePage.initiate({ id, path, cursor }, { subscribe: false, forceRefetch: true }),
        ).unwrap();
        for (const change of page.changes) {
          if (by === -1 && change.revision < revision) return change.revision;
          if (by === 1 && change.revision <= revision) return later;
          later = change.revision;
        }
        cursor = page.next;
      }
      return by === 1 ? later : undefined;
    },
    [dispatch, id],
  );
  const find = useCallback(
    async (revision: number, by: 1 | -1): Promise<number | undefined> => {
      if (value !== undefined) return findChange(revision, by, value);
      const answers: EventPage[] = await Promise.all(
        paths.map((about) =>
          dispatch(
            api.endpoints.events.initiate(
              { id, filter: nearestTo(revision + by, by, about) },
              { subscribe: false, forceRefetch: true }, // not cached, because a new event may follow
            ),
          ).unwrap(),
        ),
      );
      const found = answers.flatMap(({ events }) => events.map((event) => event.revision));
      if (found.length === 0) return undefined;
      return by === 1 ? Math.min(...found) : Math.max(...found);
    },
    [dispatch, findChange, id, paths, value],
  );
  return paths.length === 0 && value === undefined ? undefined : find;
}
