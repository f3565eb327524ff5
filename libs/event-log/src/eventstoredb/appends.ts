import { setTimeout as pause } from 'node:timers/promises';
import type { SerializedEvent } from '../serialized-event';
import { isLogError } from '../errors';
import type { AppendResult, ExpectedRevision } from '../port';
import type { ServerCalls } from './calls';
import { NotStarted } from './time-bound';

/** One append at a time for each stream: those that are not waited for overtake each other. */
export type Appends = Readonly<{
  append: (
    stream: string,
    events: readonly SerializedEvent[],
    expected: ExpectedRevision,
    ms: number,
  ) => Promise<AppendResult>;
  /** Resolves when none is under way. */
  finished: () => Promise<void>;
}>;

export function appendsOver(calls: ServerCalls): Appends {
  const last = new Map<string, Promise<unknown>>();

  const append: Appends['append'] = async (stream, events, expected, ms) => {
    const end = performance.now() + ms;
    const before = last.get(stream);
    const done = (async () => {
      if (before) await turnAfter(before, stream, ms);
      return untilKnown(calls, stream, events, expected, end);
    })();
    const over = Promise.allSettled([before, done]); // whoever gives up waiting lets nobody overtake
    last.set(stream, over);
    try {
      return await done;
    } finally {
      if (last.get(stream) === over) last.delete(stream);
    }
  };
  const finished = async () => {
    await Promise.all(last.values());
  };
  return { append, finished };
}

/** @throws Unbegun when the one before it takes longer than this one has time */
function turnAfter(before: Promise<unknown>, stream: string, ms: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new NotStarted(`An append to ${stream} did not get its turn within ${Math.round(ms)} ms.`));
    const timer = setTimeout(late, ms);
    void before.then(resolve).finally(() => clearTimeout(timer));
  });
}

/**
 * Tries again with the same ids and the same expected revision while the outcome is unknown: the server compares them with
 * what is stored, so every order of arrival is safe (`event-log.md` A8). It does so for exact revisions and new streams only.
 */
async function untilKnown(
  calls: ServerCalls,
  stream: string,
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
  end: number,
): Promise<AppendResult> {
  const isSafe = typeof expected === 'bigint' || expected === 'no_stream';
  const left = () => Math.max(1, end - performance.now());
  const share = Math.max(TRY_MS, left() * 0.3);
  for (let tries = 0; ; tries += 1) {
    try {
      return await calls.append(stream, events, expected, isSafe ? Math.min(left(), share) : left());
    } catch (error) {
      const wait = PAUSE_MS * 2 ** tries * (0.5 + Math.random() / 2);
      if (!isSafe || !isLogError(error, 'unavailable') || isCrowded(error) || left() <= wait) throw error;
      await pause(wait);
    }
  }
}

const isCrowded = (error: unknown) => error instanceof NotStarted && error.isCrowded;

/** How long an append is waited for before it is sent again: three fit into the time that one has by default. */
const TRY_MS = 1_200;

/** Before the second try; doubles before each one after it. */
const PAUSE_MS = 50;
