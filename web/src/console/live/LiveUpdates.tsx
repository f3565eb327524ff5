import { useContext, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { useDispatch } from 'react-redux';
import { api, useEntitlementsQuery, useStandingQuery } from '../api';
import { isOnline, onNetwork } from '../frame/network';
import { PRESENT } from '../moment/page-moment';
import { useConsoleConfig } from '../page-config-context';
import { isCallFailure } from '../problem';
import { redirectToLogin } from '../sign-out-redirect';
import type { ConsoleDispatch } from '../store';
import type { FeedEnd, FeedState } from './change-feed';
import { type Connection, LiveContext } from './live-context';
import { NewEventsButton } from './NewEventsButton';
import { canShareFeed, joinSharedFeed } from './shared-feed';

const POLLING_MS = 15_000;
/**
 * The pause in milliseconds between a new event and the reload of the counts. All events that one request has recorded
 * arrive within this pause. While an answer of the service is not newer than the previous answer, the pause doubles.
 */
const SETTLE_MS = 200;

type UpdatesOf = Readonly<{ id: string; onConnection: (connection: Connection) => void }>;

/**
 * Notices new events of an organization, and then loads the counts of the page again. The page reads the change feed if
 * the person has the right to audit. For other people, and while the feed is not connected, a visible page asks the
 * service every 15 seconds.
 */
export default function LiveUpdates({ id, onConnection }: UpdatesOf) {
  const dispatch = useDispatch<ConsoleDispatch>();
  const { data: standing, isLoading } = useStandingQuery(id, { refetchOnFocus: true });
  const isAuditor = standing?.reads.includes('history') === true;
  const { state, newest } = useFeed(id, isAuditor);
  const isPolling = state !== 'live' && state !== 'restored';
  const polling = { pollingInterval: POLLING_MS, skipPollingIfUnfocused: true };
  const present = useEntitlementsQuery(
    { id, moment: PRESENT },
    { refetchOnFocus: true, ...(!isLoading && isPolling && polling) },
  );
  const { data, error, isFetching, isError, refetch } = present;

  // `error` stays while the browser repeats the request. With 4xx, the service works and refuses the request.
  const isUnreachable = state === 'polling' && isCallFailure(error) && (error.status === 0 || error.status >= 500);
  const connection = isLoading ? 'connecting' : isUnreachable ? 'reconnecting' : state;
  useEffect(() => onConnection(connection), [onConnection, connection]);

  const isBehind = data !== undefined && newest > data.revision && state !== 'restored';
  const pause = useRef(SETTLE_MS);
  useEffect(() => void (pause.current = SETTLE_MS), [data?.revision]);
  useEffect(() => {
    if (!isBehind || isFetching) return;
    const timer = setTimeout(
      () => {
        pause.current *= 2;
        void refetch();
      },
      isError ? POLLING_MS : Math.min(pause.current, POLLING_MS),
    );
    return () => clearTimeout(timer);
  }, [isBehind, isFetching, isError, refetch]);

  const shown = useRef(data);
  useEffect(() => {
    if (shown.current !== undefined && data !== shown.current) dispatch(api.util.invalidateTags(['counts']));
    shown.current = data;
  }, [data, dispatch]);
  return standing && !isAuditor ? <WaitingEvents /> : null;
}

/** The button for new events, for people who have no time bar: the time bar has its own button. */
function WaitingEvents() {
  const { count, show } = useContext(LiveContext);
  return <NewEventsButton count={count} onShow={show} isFloating />;
}

/** The state of the feed, and the newest event that it has delivered. */
function useFeed(id: string, isAuditor: boolean): Readonly<{ state: Connection; newest: number }> {
  const { facts } = useConsoleConfig();
  const isVisible = useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
  const online = useSyncExternalStore(onNetwork, isOnline);
  const revision = useEntitlementsQuery({ id, moment: PRESENT }).data?.revision;
  const [state, setState] = useState<FeedState | FeedEnd>('connecting');
  const [newest, setNewest] = useState(-1);
  const cursor = useRef<string>(undefined);
  const isKnown = revision !== undefined;
  const isFollowed = isAuditor && isKnown && isVisible && online && state !== 'restored' && canShareFeed();

  const join = useEffectEvent(() =>
    joinSharedFeed({
      name: `charter-feed-${facts.account}-${id}`,
      url: `/api/v1/organizations/${id}/events`,
      from: Math.max(revision ?? 0, newest),
      cursor: cursor.current,
      onState: (next) => {
        if (next === 'signed-out') redirectToLogin(window);
        setState(next);
      },
      onEvent: (position) => {
        cursor.current = position.cursor;
        setNewest((before) => Math.max(before, position.revision));
      },
    }),
  );
  useEffect(() => (isFollowed ? join() : undefined), [isFollowed]);

  const isRefused = state === 'refused' || state === 'signed-out';
  if (!isAuditor || !canShareFeed() || isRefused) return { state: 'polling', newest };
  return { state: isFollowed || state === 'restored' ? state : 'connecting', newest };
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed);
  return () => document.removeEventListener('visibilitychange', changed);
}
