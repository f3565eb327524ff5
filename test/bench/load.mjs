import { talk } from './children.mjs';

/**
 * Measures the product and its floors (the programs to compare with) with a client in a child process. After a short
 * warm-up, `load` sends requests for `seconds` seconds. It resolves with `{ rate, statuses, refusals, p50, p99 }`.
 * Latencies are in milliseconds. `refusals` has the first body of each status from 400 on.
 * @param wish `{ port, callers, seconds, rate?, method, paths, headers, body? }`: paths are requested in rotation.
 * `body` is `member` for a new member each time, or texts that are sent in rotation. `rate` is the maximum number of
 * requests a second.
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
        throw new Error(
          `${wish.method} ${wish.paths[0]} answered ${JSON.stringify(answer.statuses)}, first ${JSON.stringify(answer.refusals)}`,
        );
      return answer;
    },
  };
}

/** The floor for HTTP: a bare `node:http` server, which repeats one answer of the service for every request. */
export async function bareHttp(answer) {
  const { ask, stop } = talk('bare-http.mjs');
  return { port: await ask(answer), stop };
}

/**
 * The floor for writes: `node:http` and SQLite store one row of the same size for each request. The row is durable
 * before the answer.
 */
export async function bareCommits(wish) {
  const { ask, stop } = talk('bare-commits.mjs');
  return { port: await ask(wish), stop };
}

/** The floor for sign-ins: measures the argon2id verifications per second of a process, at a given concurrency. */
export function hashing() {
  const { ask, stop } = talk('hashes.mjs');
  return { rate: ask, stop };
}

/**
 * An answer of the service, which the server of a floor then repeats. The answer lacks the headers that `node:http`
 * adds itself.
 */
export async function sampled(url, init) {
  const response = await fetch(url, init);
  const body = await response.text();
  const own = ['date', 'connection', 'keep-alive'];
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.includes(name)));
  return { status: response.status, headers, body };
}
