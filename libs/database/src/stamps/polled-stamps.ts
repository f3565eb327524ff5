import { setImmediate as endOfTick } from 'node:timers/promises';

/** The stamps by name: `keys`, `people`, `introductions`, and for each view its name. */
export type Stamps = ReadonlyMap<string, string>;

/** Stamps of a database server, which a process reads with a query. */
export type PolledStamps = Readonly<{
  /**
   * Reads the stamps. All waiting calls share one query, which starts after the last of them. The stamps therefore show
   * each change that another process committed before the call.
   */
  refresh: () => Promise<void>;
  /** The stamp that the last query read; undefined before the first query, and after a query that failed. */
  of: (name: string) => string | undefined;
  /** All stamps as one text, which changes with each of the stamps. */
  all: () => string | undefined;
}>;

export function polledStamps(read: () => Promise<Stamps>): PolledStamps {
  let known: Readonly<{ stamps: Stamps; all: string }> | undefined;
  let running: Promise<void> | undefined;
  let since = 0;
  let waiting: Promise<void> | undefined;

  const readAll = async (): Promise<void> => {
    try {
      const stamps = await read();
      known = { stamps, all: [...stamps].map((stamp) => stamp.join(' ')).join('\n') };
    } catch (error) {
      known = undefined;
      throw error;
    }
  };
  const afterRunning = async (): Promise<void> => {
    await running?.catch((error: unknown) => {
      // After a query without an answer, the calls that wait fail too, so that no call waits for two time limits.
      if (performance.now() - since < SLOW_MS) return;
      waiting = undefined;
      throw error;
    });
    await endOfTick(); // the calls of the remaining tick share this query
    waiting = undefined;
    since = performance.now();
    // Later calls must not get the error of a query that has ended.
    return (running = readAll().finally(() => (running = undefined)));
  };
  return {
    refresh: () => (waiting ??= afterRunning()),
    of: (name) => known && (known.stamps.get(name) ?? ''),
    all: () => known?.all,
  };
}

/** A query that fails after more milliseconds got no answer from the server. */
const SLOW_MS = 500;
