import type { EventPage } from '@charter/client';
import { useCallback, useMemo } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation } from 'react-router-dom';
import { api } from '../../api';
import { organizationPages } from '../../organization/organization-pages';
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

/** The filter that finds the nearest event about a path in one direction, beginning with the revision. */
const nearestTo = (revision: number, by: 1 | -1, about: string) => ({
  ...{ about, limit: '1', order: by === 1 ? 'oldest' : 'newest' },
  ...(by === 1 ? { from: String(revision) } : { to: String(revision) }),
});

/**
 * Returns a function that finds the previous or next event that changed the page; undefined if each event can change
 * the page.
 */
export function usePageSteps(id: string) {
  const { pathname } = useLocation();
  const dispatch = useDispatch<ConsoleDispatch>();
  const paths = useMemo(() => pathsOfPage(pathname), [pathname]);
  const find = useCallback(
    async (revision: number, by: 1 | -1): Promise<number | undefined> => {
      const answers: EventPage[] = await Promise.all(
        paths.map((about) =>
          dispatch(
            api.endpoints.events.initiate({ id, filter: nearestTo(revision + by, by, about) }, { subscribe: false }),
          ).unwrap(),
        ),
      );
      const found = answers.flatMap(({ events }) => events.map((event) => event.revision));
      if (found.length === 0) return undefined;
      return by === 1 ? Math.min(...found) : Math.max(...found);
    },
    [dispatch, id, paths],
  );
  return paths.length === 0 ? undefined : find;
}
