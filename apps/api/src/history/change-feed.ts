import { setTimeout as pause } from 'node:timers/promises';
import { type EventLog, isLogError, EMPTY_LOG_POSITION, type Position, type StoredEvent } from '@charter/event-log';
import { organizationStreamPrefix } from '@charter/organization';
import type { Response } from 'express';
import type { ReleaseSlotWhile } from '../http/admission/gate';
import { feedCursor } from './feed-cursor';
import type { ChangeLine } from './history.answers';
import { writeWhenDrained } from './ndjson';
import { printedEvent } from './printed-event';
import type { EventVisibility } from './visibility';
import type { Charter } from '@charter/application';
import type { Lifecycle } from '../process/parts/lifecycle';

export const feedPrefixes: readonly string[] = [organizationStreamPrefix];

/** Milliseconds between two reads of the log's end. All feeds of a process share these reads. */
const LOOK_MS = 200;
/** Milliseconds between checks of the caller's permission. */
const RENEW_MS = 500;
/** Milliseconds between comments on a feed without events: proxies cut a connection that is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** Milliseconds after which a client reconnects. */
const RETRY_MS = 2_000;

/**
 * Yields the changes of all organizations after a position, up to the current end, in commit order.
 * @param from the position up to which the feed has read, if it is beyond `after`; the server may have removed its own
 * event there
 */
async function* changesAfter(
  log: Pick<EventLog, 'readAll'>,
  after: Position | undefined,
  from: Position | undefined = after,
): AsyncGenerator<StoredEvent, void> {
  try {
    for await (const event of log.readAll({ from: from ?? 'start', streamPrefixes: feedPrefixes }))
      if (after === undefined || event.position > after) yield event;
  } catch (error) {
    if (from === after || !isLogError(error, 'invalid-position')) throw error;
    yield* changesAfter(log, after);
  }
}

/** The changes that a caller may see, up to the current end, each with its cursor. */
export async function* visibleChanges(
  log: EventLog,
  after: Position | undefined,
  sight: EventVisibility,
): AsyncGenerator<ChangeLine, void> {
  const store = await log.identity();
  let renewed = performance.now();
  for await (const event of changesAfter(log, after)) {
    if (performance.now() - renewed >= RENEW_MS) {
      await sight.renew();
      renewed = performance.now();
    }
    if (await sight.sees(event)) yield { ...printedEvent(event), cursor: feedCursor(store, event) };
  }
}

/** Returns a function that reads the end of a log, at most once in an interval. */
export function cachedHead(log: Pick<EventLog, 'head'>): () => Promise<Position> {
  let known: Readonly<{ head: Promise<Position>; at: number }> | undefined;
  return () => {
    if (!known || performance.now() - known.at >= LOOK_MS) known = { head: log.head(), at: performance.now() };
    return known.head;
  };
}

export type ChangeFeed = Readonly<{
  runtime: Pick<Charter, 'log'> & Lifecycle;
  response: Response;
  after: Position | undefined;
  sight: EventVisibility;
  head: () => Promise<Position>;
  /** Checks the permission before the first event, and again from time to time. */
  record: () => Promise<void>;
  gone: AbortSignal;
  releaseSlotWhile: ReleaseSlotWhile;
}>;

/**
 * Sends server-sent events while the client is connected and permitted: first the recorded events, then new ones. A
 * slow reader delays the feed, so memory does not grow. The feed ends when the process stops; the client then
 * reconnects with its cursor to any process.
 */
export async function sendChanges({
  runtime,
  response,
  after,
  sight,
  head,
  record,
  gone,
  releaseSlotWhile,
}: ChangeFeed): Promise<void> {
  const { log } = runtime;
  const store = await log.identity();
  let [position, scanned, cursor] = [after, after, ''];
  let [renewed, spoke] = [performance.now(), performance.now()];
  const say = async (text: string) => {
    await writeWhenDrained(response, text, gone, releaseSlotWhile);
    spoke = performance.now();
  };
  const keepUp = async () => {
    if (performance.now() - renewed >= RENEW_MS) {
      await sight.renew();
      await record();
      renewed = performance.now();
    }
    // The cursor also moves past events that this caller may not see.
    if (performance.now() - spoke >= HEARTBEAT_MS) await say(`${cursor && `id: ${cursor}\n`}: still here\n\n`);
  };

  response.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  await say(`retry: ${RETRY_MS}\n\n`);
  while (!runtime.stopping()) {
    const end = await head();
    // An older store has replaced the log; the next connection gets 409. The second read is needed, because another
    // reader may have cached a slightly older end.
    if (position !== undefined && end < position && (await log.head()) < position) return;
    if (end > (scanned ?? EMPTY_LOG_POSITION)) {
      for await (const event of changesAfter(log, position, scanned)) {
        await keepUp();
        if (runtime.stopping()) return;
        position = event.position;
        cursor = feedCursor(store, event);
        if (await sight.sees(event)) await say(`id: ${cursor}\ndata: ${JSON.stringify(printedEvent(event))}\n\n`);
      }
      scanned = position !== undefined && position > end ? position : end;
    }
    await keepUp();
    await pause(LOOK_MS, undefined, { signal: gone }).catch(() => gone.throwIfAborted());
  }
}
