import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { quantile } from './measure.mjs';

/**
 * Looks at a store from outside, every millisecond: how long after it was stored is each event in the documents?
 * `begin().end()` answers `{ p50, p99 }` in milliseconds for all events between the two.
 */
export function watching(path) {
  const documents = new DatabaseSync(join(path, 'documents.db'), { readOnly: true });
  const events = new DatabaseSync(join(path, 'events.db'), { readOnly: true });
  const standing = documents.prepare('SELECT e.position FROM editions e JOIN views v ON v.live = e.edition');
  const since = events.prepare('SELECT position, created FROM events WHERE position > ? ORDER BY position');
  const reached = () => Number(standing.get().position);
  return {
    begin: () => {
      const first = reached();
      const seen = [];
      const timer = setInterval(() => {
        const position = reached();
        if (position !== seen.at(-1)?.position) seen.push({ position, at: Date.now() });
      }, 1);
      return {
        end: () => {
          clearInterval(timer);
          const lags = since.all(first).map(({ position, created }) => lagOf(seen, position, created));
          return { p50: quantile(lags, 0.5), p99: quantile(lags, 0.99) };
        },
      };
    },
    close: () => {
      documents.close();
      events.close();
    },
  };
}

function lagOf(seen, position, created) {
  const look = seen.find((each) => each.position >= position);
  if (!look) throw new Error(`The read model has not reached position ${position}.`);
  return look.at - created;
}
