import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile } from './measure.mjs';

/**
 * Reads the files of a store every millisecond. Measures the delay from the commit of an event to the commit of its
 * document. `during(work)` resolves with `{ p50, p99 }` in milliseconds, for all events that were stored during the
 * work.
 */
export function watching(path) {
  const documents = new DatabaseSync(join(path, 'documents.db'), { readOnly: true });
  const events = new DatabaseSync(join(path, 'events.db'), { readOnly: true });
  const standing = documents.prepare('SELECT e.position FROM editions e JOIN views v ON v.live = e.edition');
  const last = events.prepare('SELECT max(position) AS position FROM events');
  const since = events.prepare('SELECT position, created FROM events WHERE position > ? ORDER BY position');
  const reached = () => Number(standing.get().position);

  /** @throws when the documents do not reach the end of the log within ten seconds */
  const caughtUp = async () => {
    const end = Date.now() + 10_000;
    while (reached() < last.get().position) {
      if (Date.now() > end) throw new Error(`The read model is still at ${reached()} of ${last.get().position}.`);
      await pause(1);
    }
  };
  return {
    during: async (work) => {
      await caughtUp();
      const seen = [{ position: reached(), at: Date.now() }];
      const sample = () => {
        const position = reached();
        if (position !== seen.at(-1).position) seen.push({ position, at: Date.now() });
      };
      const timer = setInterval(sample, 1);
      await work();
      await caughtUp();
      sample();
      clearInterval(timer);
      const lags = since.all(seen[0].position).map(({ position, created }) => lagOf(seen, position, created));
      return { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99) };
    },
    close: () => {
      documents.close();
      events.close();
    },
  };
}

const lagOf = (seen, position, created) => seen.find((sample) => sample.position >= position).at - created;
