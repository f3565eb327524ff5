import { talk } from './children.mjs';

/**
 * The one client for floors and product alike, in a process of its own. `load` asks for so many seconds after a short
 * warm-up and answers `{ rate, statuses, p50, p99 }`; latencies in milliseconds.
 * @param wish `{ port, callers, seconds, rate?, method, paths, headers, body? }`: paths are asked for in turn; `body` is
 * `member` for a new member each time, or texts that are sent in turn; with a `rate` no more than that many a second are sent
 */
export function client() {
  const { ask, stop } = talk('client.mjs');
  return {
    stop,
    load: async ({ expected, isOverloadFine = false, ...wish }) => {
      const answer = await ask({ warm: 0.2, seconds: 1, headers: {}, ...wish });
      const others = Object.keys(answer.statuses).filter(
        (status) => Number(status) !== expected && !(isOverloadFine && status === '503'),
      );
      if (others.length > 0)
        throw new Error(`${wish.method} ${wish.paths[0]} answered ${JSON.stringify(answer.statuses)}`);
      return answer;
    },
  };
}

/** What `node:http` alone does: a server that gives the same bytes and as many headers for every request. */
export async function bareHttp(answer) {
  const { ask, stop } = talk('bare-http.mjs');
  return { port: await ask(answer), stop };
}

/** What `node:http` and SQLite alone do: one row of the same size for each request, durable before it is answered. */
export async function bareCommits(wish) {
  const { ask, stop } = talk('bare-commits.mjs');
  return { port: await ask(wish), stop };
}

/** What argon2id alone does: verifications a second, so many at once. */
export function hashing() {
  const { ask, stop } = talk('hashes.mjs');
  return { rate: ask, stop };
}

/** One answer of a server, as a floor can give it: without what `node:http` adds by itself. */
export async function sampled(url, init) {
  const response = await fetch(url, init);
  const body = await response.text();
  const own = ['date', 'connection', 'keep-alive'];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.includes(name)));
  return { status: response.status, headers, body };
}
