import type { ChangeNotice, StreamEvents } from '../connection.js';
import { untilAborted } from '../requests/pause.js';

type TabMessage = Readonly<{ kind: 'begun' | 'opened' | 'alive' } | { kind: 'notice'; notice: ChangeNotice }>;

/**
 * Lets one tab of the browser follow the stream, and passes its notices to the other tabs. A browser allows only six
 * connections to a host under HTTP/1.1. Web Locks choose the tab; if that tab ends or loses the stream, another tab
 * gets the lock.
 */
export async function oneTabLeads(
  name: string,
  on: StreamEvents,
  signal: AbortSignal,
  lead: (on: StreamEvents, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { navigator = {} } = globalThis as { navigator?: Partial<Navigator> }; // Node 20 has no `navigator`
  const { locks } = navigator;
  if (!locks || typeof BroadcastChannel === 'undefined') return lead(on, signal);
  const channel = new BroadcastChannel(name);
  const post = (message: TabMessage) => channel.postMessage(message);
  let [isLeader, isOpen] = [false, false];
  channel.onmessage = ({ data }: { data: TabMessage }) => {
    if (isLeader) {
      if (data.kind === 'begun' && isOpen) post({ kind: 'alive' });
    } else if (data.kind !== 'begun') {
      // A change between two streams has no notice. So this tab fetches again when another tab opens the next stream.
      if (!isOpen || data.kind === 'opened') on.opened(false);
      isOpen = true;
      on.alive();
      if (data.kind === 'notice') on.notice(data.notice);
    }
  };
  const toAllTabs: StreamEvents = {
    opened: (resumed) => {
      isOpen = true;
      post({ kind: 'opened' });
      on.opened(resumed);
    },
    alive: () => {
      post({ kind: 'alive' });
      on.alive();
    },
    notice: (notice) => {
      post({ kind: 'notice', notice });
      on.notice(notice);
    },
  };
  try {
    post({ kind: 'begun' });
    await locks.request(name, { signal }, () => {
      [isLeader, isOpen] = [true, false];
      // A request that ignores the signal must not keep the lock, because the other tabs would get no stream.
      return Promise.race([lead(toAllTabs, signal), untilAborted(signal)]);
    });
  } finally {
    channel.close();
  }
}
