import { createContext } from 'react';
import type { FeedEnd, FeedState } from './change-feed';

/**
 * How the page gets new events: from the change feed, or from a request every 15 seconds (`polling`). After `failed`,
 * the page gets none, because its script for new events could not be loaded.
 */
export type Connection = FeedState | Extract<FeedEnd, 'restored'> | 'polling' | 'failed';

/** The events that were recorded while a person reads the page. */
export type LivePage = Readonly<{
  connection: Connection;
  /** The newest event that the rows of the page show; undefined before the first answer. */
  seen: number | undefined;
  /** The number of events after `seen`. */
  count: number;
  /** Makes the rows of the page show the events after `seen`. */
  show: () => void;
  /**
   * Loads the counts of the page again, and shows the events up to this revision; without a revision, up to the loaded
   * revision. The page calls this after the person's change, and after a refusal because another change came first.
   */
  showNewest: (revision?: number) => Promise<void>;
}>;

export const LiveContext = createContext<LivePage>({
  connection: 'connecting',
  seen: undefined,
  count: 0,
  show: () => undefined,
  showNewest: () => Promise.resolve(),
});
