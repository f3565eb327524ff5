import type { SerializedEvent } from '../serialized-event';
import type { AppendResult, ExpectedRevision } from '../port';
import type { ServerCalls } from './calls';
import { NotStarted, repeated } from './time-bound';

/** Sends one append at a time for each stream, because the client does not keep the order of simultaneous appends. */
export type Appends = Readonly<{
  append: (
    stream: string,
    events: readonly SerializedEvent[],
    expected: ExpectedRevision,
    ms: number,
  ) => Promise<AppendResult>;
  /** Resolves when no append is pending. */
  finished: () => Promise<void>;
}>;

export function appendsOver(calls: ServerCalls): Appends {
  const last = new Map<string, Promise<unknown>>();

  const append: Appends['append'] = async (stream, events, expected, ms) => {
    const end = performance.now() + ms;
    const before = last.get(stream);
    const done = (async () => {
      if (before) await waitForPrevious(before, stream, ms);
      return untilKnown(calls, stream, events, expected, end);
    })();
    // If an append times out while it waits for an earlier append, later appends still wait for the earlier append.
    const settled = Promise.allSettled([before, done]);
    last.set(stream, settled);
    try {
      return await done;
    } finally {
      if (last.get(stream) === settled) last.delete(stream);
    }
  };
  const finished = async () => {
    await Promise.all(last.values());
  };
  return { append, finished };
}

/** @throws NotStarted if the previous append takes longer than `ms` */
function waitForPrevious(before: Promise<unknown>, stream: string, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new NotStarted(`An append to ${stream} waited more than ${Math.round(ms)} ms for the append before it.`));
    const timer = setTimeout(late, ms);
    void before.then(resolve).finally(() => clearTimeout(timer));
  });
}

/**
 * Repeats an append with the same ids and the same expected revision while its outcome is unknown. The server compares
 * the ids with stored ids, so an earlier try that arrives late writes no event twice (`event-log.md` A8). Repeats only
 * appends that expect an exact revision or a new stream, and tries all other appends once.
 */
async function untilKnown(
  calls: ServerCalls,
  stream: string,
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
  end: number,
): Promise<AppendResult> {
  const left = () => Math.max(1, end - performance.now());
  const isSafe = typeof expected === 'bigint' || expected === 'no_stream';
  if (!isSafe) return calls.append(stream, events, expected, left());
  const share = Math.max(TRY_MS, left() * 0.3);
  return repeated(() => calls.append(stream, events, expected, Math.min(left(), share)), end);
}

/**
 * A try may take 30 % of the remaining time, but at least this many milliseconds, so three tries fit into the default
 * deadline.
 */
const TRY_MS = 1_200;
