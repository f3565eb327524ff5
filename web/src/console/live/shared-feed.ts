import { type FeedEnd, type FeedPosition, type FeedState, followChanges } from './change-feed';

/**
 * A message between tabs. The tab that reads the feed sends states and events. A tab that has just opened asks for the
 * feed's state and its newest event.
 */
type FeedMessage =
  | Readonly<{ kind: 'question' }>
  | Readonly<{ kind: 'state'; state: FeedState | FeedEnd }>
  | Readonly<{ kind: 'event'; position: FeedPosition }>;

type SharedFeedOf = Readonly<{
  /** The name of the Web Lock and of the `BroadcastChannel`. Tabs with the same name share one feed. */
  name: string;
  url: string;
  /** The newest event that the page knows, with its cursor if a feed has delivered the event. */
  from: number;
  cursor: string | undefined;
  onState: (state: FeedState | FeedEnd) => void;
  onEvent: (position: FeedPosition) => void;
}>;

/** Whether the browser has `BroadcastChannel` and Web Locks, which tabs need to share a feed. */
export const canShareFeed = (): boolean =>
  typeof BroadcastChannel === 'function' && typeof navigator === 'object' && 'locks' in navigator;

/**
 * Follows an organization together with the other visible tabs of the browser. The tab that gets the Web Lock reads the
 * feed, and passes the feed's events to the other tabs. When this tab leaves, the browser gives the lock to the next
 * tab.
 * @returns the function with which this tab leaves the feed
 */
export function joinSharedFeed({ name, url, from, cursor, onState, onEvent }: SharedFeedOf): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  const channel = new BroadcastChannel(name);
  /** The state of the feed, in the tab that reads the feed. */
  let own: FeedState | FeedEnd | undefined;
  let last: Partial<FeedPosition> & Pick<FeedPosition, 'revision'> = { revision: from, ...(cursor && { cursor }) };

  const send = (message: FeedMessage) => {
    if (!signal.aborted) channel.postMessage(message);
  };
  const setState = (state: FeedState | FeedEnd) => {
    own = state;
    onState(state);
    send({ kind: 'state', state });
  };
  const take = (position: FeedPosition) => {
    last = position;
    onEvent(position);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<FeedMessage>) => {
    if (signal.aborted) return;
    if (data.kind === 'question') {
      if (own === undefined) return;
      send({ kind: 'state', state: own });
      const { revision, cursor: resumed } = last;
      if (resumed !== undefined) send({ kind: 'event', position: { revision, cursor: resumed } });
    } else if (own === undefined) {
      if (data.kind === 'event') take(data.position);
      else onState(data.state);
    }
  });
  send({ kind: 'question' });

  const read = async () => {
    setState('connecting');
    const end = await followChanges({
      ...{ url, signal, from: last.revision, cursor: last.cursor, onState: setState },
      onEvent: (position) => {
        take(position);
        send({ kind: 'event', position });
      },
    });
    setState(end);
    // the tab keeps the lock, so that no other tab requests the feed that the service has refused
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  navigator.locks.request(name, { signal }, read).catch(() => {
    if (!signal.aborted) onState('refused'); // the browser refuses locks, for example in a private window
  });
  return () => {
    leaving.abort();
    channel.close();
  };
}
