import {
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useDispatch } from 'react-redux';
import { useLocation, useMatch } from 'react-router-dom';
import { api, useEntitlementsQuery } from '../api';
import { PRESENT } from '../moment/page-moment';
import type { ConsoleDispatch } from '../store';
import { FailureBoundary } from '../frame/FailureBoundary';
import { type Connection, LiveContext } from './live-context';

const LiveUpdates = lazy(() => import('./LiveUpdates'));

/** Sends a new request, also while no component of the page uses the answer. */
const RELOAD = { subscribe: false, forceRefetch: true };

/** The newest event that the rows of the page already contain. */
type Seen = Readonly<{ id: string | undefined; pathname: string; revision: number }>;

/**
 * Gets the new events of the organization in the address. Each event changes the counts on the page. The rows of the
 * page change only after the person presses the button for new events, or opens another page.
 */
export function Live({ children }: Readonly<{ children: ReactNode }>) {
  const id = useMatch('/org/:id/*')?.params.id;
  const { pathname } = useLocation();
  const dispatch = useDispatch<ConsoleDispatch>();
  const { currentData: present } = useEntitlementsQuery({ id: id ?? '', moment: PRESENT }, { skip: id === undefined });
  const head = present?.revision; // undefined outside an organization, because the query is skipped there
  const [known, setSeen] = useState<Seen>();
  const [connection, setConnection] = useState<Connection>('connecting');
  const isOfPage = known !== undefined && known.id === id && known.pathname === pathname;
  if (head !== undefined && !isOfPage) {
    const shown = known?.id === id ? known?.revision : undefined; // after the person's own change, more than `head`
    setSeen({ id, pathname, revision: Math.max(head, shown ?? 0) });
  }
  const seen = isOfPage ? known.revision : head;
  const shown = useFreshRows(id, seen);

  const show = useCallback(() => {
    if (head !== undefined) setSeen({ id, pathname, revision: head });
  }, [head, id, pathname]);
  const showNewest = useCallback(
    async (revision?: number) => {
      if (id === undefined) return;
      // The person may have left the organization.
      const showUpTo = (newest: number) =>
        setSeen((current) => (current && current.id !== id ? current : { id, pathname, revision: newest }));
      if (revision !== undefined) showUpTo(revision);
      // before the counts load, `useFreshRows` has no revision to compare, and so loads no rows
      if (revision !== undefined && !shown.current.has(id)) dispatch(api.util.invalidateTags(['rows']));
      const counts = api.endpoints.entitlements.initiate({ id, moment: PRESENT }, RELOAD);
      const { data } = await dispatch(counts);
      if (revision === undefined && data) showUpTo(data.revision);
    },
    [dispatch, id, pathname, shown],
  );
  const count = Math.max(0, (head ?? 0) - (seen ?? 0));
  const live = useMemo(
    () => ({ connection, seen, count, show, showNewest }),
    [connection, seen, count, show, showNewest],
  );
  return (
    <LiveContext value={live}>
      {children}
      {id !== undefined && (
        <FailureBoundary place={id} instead={<NoUpdates onConnection={setConnection} />}>
          <Suspense fallback={null}>
            <LiveUpdates key={id} id={id} onConnection={setConnection} />
          </Suspense>
        </FailureBoundary>
      )}
    </LiveContext>
  );
}

/** Stands in place of `LiveUpdates` if its script cannot be loaded. */
function NoUpdates({ onConnection }: Readonly<{ onConnection: (connection: Connection) => void }>) {
  useEffect(() => onConnection('failed'), [onConnection]);
  return null;
}

/**
 * Loads the rows of an organization again when its pages are to show newer events. The browser still caches the rows
 * after the person opens another organization. So the hook keeps the shown revision of each organization.
 * @returns the shown revision of each organization
 */
function useFreshRows(id: string | undefined, seen: number | undefined): RefObject<ReadonlyMap<string, number>> {
  const dispatch = useDispatch<ConsoleDispatch>();
  const shown = useRef(new Map<string, number>());
  useEffect(() => {
    if (id === undefined || seen === undefined) return;
    const before = shown.current.get(id) ?? seen;
    shown.current.set(id, seen);
    if (before !== seen) dispatch(api.util.invalidateTags(['rows']));
  }, [dispatch, id, seen]);
  return shown;
}
