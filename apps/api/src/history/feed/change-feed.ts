import { setTimeout as pause } from 'node:timers/promises';
import { EMPTY_LOG_POSITION, type EventLog, type Position } from '@charter/event-log';
import type { Response } from 'express';
import type { ReleaseSlotWhile } from '../../http/admission/gate';
import { eventStreamHeaders, HEARTBEAT, HEARTBEAT_MS, STREAM_BEGINNING } from '../../http/server-sent-events';
import type { ChangeSource } from './change-source';
import { feedCursor } from './feed-cursor';
import type { ChangeLine } from '../history.answers';
import { writeWhenDrained } from '../ndjson';
import { printedEvent } from '../printed-event';
import type { EventVisibility } from './visibility';
import type { Charter } from '@charter/application';
import type { Lifecycle } from '../../process/parts/lifecycle';

/**
 * The minimum interval, in milliseconds, between two reads of the log's end. All feeds of a process share the reads of
 * the log's end.
 */
const LOOK_MS = 200;
/** The interval, in milliseconds, at which the caller's permission is checked. */
const RENEW_MS = 500;

/**
 * Yields the events that a caller may see, up to the current end of the log, each with its cursor.
 * @throws the reason of `gone`; the errors of `sight`
 */
export async function* visibleChanges(
  log: Pick<EventLog, 'identity'>,
  { source, after, sight, gone }: Pick<ChangeFeed, 'source' | 'after' | 'sight' | 'gone'>,
): AsyncGenerator<ChangeLine, void> {
  const store = await log.identity();
  let renewed = performance.now();
  for await (const event of source(after)) {
    gone.throwIfAborted();
    if (performance.now() - renewed >= RENEW_MS) {
      await sight.renew();
      renewed = performance.now();
    }
    if (await sight.sees(event)) yield { ...printedEvent(event), cursor: feedCursor(store, event) };
  }
}

/**
 * Returns a function that reads the position of the log's end. All callers share the function, which reads the log at
 * most once in `LOOK_MS`.
 */
function cachedHead(log: Pick<EventLog, 'head'>): () => Promise<Position> {
  const cached = heads.get(log);
  if (cached) return cached;
  let known: Readonly<{ head: Promise<Position>; at: number }> | undefined;
  const head = () => {
    if (!known || performance.now() - known.at >= LOOK_MS) known = { head: log.head(), at: performance.now() };
    return known.head;
  };
  heads.set(log, head);
  return head;
}
const heads = new WeakMap<Pick<EventLog, 'head'>, () => Promise<Position>>();

export type ChangeFeed = Readonly<{
  runtime: Pick<Charter, 'log'> & Lifecycle;
  response: Response;
  source: ChangeSource;
  after: Position | undefined;
  sight: Pick<EventVisibility, 'sees' | 'renew'>;
  /** Called at intervals, so that a feed that stays open for hours records a read in each hour. */
  record: () => Promise<void>;
  gone: AbortSignal;
  releaseSlotWhile: ReleaseSlotWhile;
}>;

/**
 * Sends server-sent events while the client is connected and has permission: first the recorded events, then new ones.
 * If the client reads slowly, the feed waits, so that memory does not grow. When the process stops, the feed ends; the
 * client then reconnects to any process with its cursor.
 */
export async function sendChanges({
  runtime,
  response,
  source,
  after,
  sight,
  record,
  gone,
  releaseSlotWhile,
}: ChangeFeed): Promise<void> {
  const { log } = runtime;
  const store = await log.identity();
  const head = cachedHead(log);
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
    if (performance.now() - spoke >= HEARTBEAT_MS) await say(`${cursor && `id: ${cursor}\n`}${HEARTBEAT}`);
  };

  response.set(eventStreamHeaders);
  await say(STREAM_BEGINNING);
  while (!runtime.stopping()) {
    const end = await head();
    // If an older copy has replaced the log, the feed ends, and the client's next connection gets 409. The loop reads
    // the end a second time, because the cached end may be slightly older than the feed's position.
    if (position !== undefined && end < position && (await log.head()) < position) return;
    if (end > (scanned ?? EMPTY_LOG_POSITION)) {
      for await (const event of source(position, scanned)) {
        gone.throwIfAborted();
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
