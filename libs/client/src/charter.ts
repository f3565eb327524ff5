import type { Calls } from './requests/calls.js';
import { CharterOrganization, type HeldOrganization } from './charter-organization.js';
import {
  EntitlementConnection,
  type ConnectionSource,
  defaultIntervals,
  type Intervals,
  type MaxStale,
} from './connection.js';
import { type ClientListener, EntitlementStore } from './entitlement-store.js';
import type { FlagTicket } from './browser/flag-ticket.js';
import { heldOrganizations } from './held-organizations.js';
import { lazyCalls, lazyServerSource, lazyTabSource } from './lazy.js';
import { Observable } from './observable.js';
import { type CharterSnapshot, restoredFrom, snapshotOf } from './snapshot.js';

export type CharterOptions = Readonly<{
  /** The address of Charter, such as `https://charter.example.com`. */
  url: string;
  /** An API key with the scopes `flags:read` and `organizations:read`; never in a browser. */
  key?: string;
  /** In browsers: gets a flag ticket for the organization from the program's own backend. */
  ticket?: (organization: string) => Promise<FlagTicket>;
  /** The rule about old values. By default the client keeps them; their age is in `freshness`. */
  maxStale?: MaxStale;
  /** The values of an earlier process. The client ignores values that are older than `maxStale.ms`. */
  snapshot?: CharterSnapshot;
  /**
   * The number of organizations whose values the client keeps, by default 10,000. The client drops the least recently
   * used organizations first, but no organization with a subscriber.
   */
  organizations?: number;
  fetch?: typeof fetch;
  /** Other durations, for example for the tests of a program. */
  intervals?: Partial<Intervals>;
}>;

/** A client of Charter. One client per process is enough. */
export type CharterClient = Calls &
  Readonly<{
    /** The entitlements of one organization. The client begins to fetch them at the first call. */
    organization: (id: string) => CharterOrganization;
    /**
     * Calls the listener after each change of an organization whose values the client holds, with the names of the
     * changed features and limits. Also calls it, with an empty list, after a change of the stream. The second argument
     * is the state of the stream: `fatal` if Charter refuses the key.
     */
    subscribe: (listener: ClientListener) => () => void;
    /** All values as JSON, for the option `snapshot`. */
    snapshot: () => CharterSnapshot;
    /** Ends the stream and all timers. */
    close: () => void;
  }>;

const HOUR = 3_600_000;

export function createCharter(options: CharterOptions): CharterClient {
  const { key, ticket, maxStale = { ms: HOUR, then: 'last-known' }, snapshot } = options;
  const url = options.url.replace(/\/+$/, '');
  const isBrowser = 'window' in globalThis;
  if (isBrowser && key !== undefined) throw new Error('In a browser, use `ticket`, not `key`.');
  const server = {
    url,
    fetch: options.fetch ?? ((...request: Parameters<typeof fetch>) => fetch(...request)),
    authorization: () => `Bearer ${key ?? ''}`,
  };
  const intervals = { ...defaultIntervals, ...options.intervals };
  const observable = new Observable<Parameters<ClientListener>>();
  const connect = (source: ConnectionSource) => new EntitlementConnection(source, intervals, maxStale, observable);
  // With tickets each organization has its own credentials, and so its own connection.
  const shared = ticket ? undefined : connect(lazyServerSource(server));
  const connectionOf = (id: string) => shared ?? connect(lazyTabSource(id, () => ticket!(id), server));

  const restored = restoredFrom(snapshot, url, maxStale.ms);
  const take = (id: string): HeldOrganization => {
    const connection = connectionOf(id);
    const store = new EntitlementStore(id, (keys) => {
      if (!held.isDropped) observable.announce(keys, connection.state);
    });
    const held = { store, connection, lastUse: 0, isDropped: false };
    if (isClosed) connection.close();
    restored(store);
    connection.hold(store);
    return held;
  };
  const drop = ({ store, connection }: HeldOrganization) => {
    connection.release(store);
    if (!shared) connection.close();
  };
  const organizations = heldOrganizations(options.organizations ?? 10_000, take, drop);
  let isClosed = false;

  return {
    ...lazyCalls(server),
    organization: (id) => {
      const held = organizations.of(id.toLowerCase());
      return (held.object ??= new CharterOrganization(held, organizations));
    },
    subscribe: (listener) => observable.subscribe(listener),
    snapshot: () => snapshotOf(url, organizations.all()),
    close: () => {
      isClosed = true;
      for (const { connection } of organizations.all()) connection.close();
    },
  };
}
