import { setTimeout as pause } from 'node:timers/promises';
import { type EventLog, isLogError, EMPTY_LOG_POSITION, type Position, type StoredEvent } from '@charter/event-log';
import { organizationStreamPrefix } from '@charter/organization';
import type { Response } from 'express';
import type { ReleaseSlotWhile } from '../http/admission/gate';
import type { Runtime } from '../process/runtime';
import { feedCursor } from './feed-cursor';
import { writeWhenDrained } from './ndjson';
import { printedEvent } from './printed-event';
import type { EventVisibility } from './visibility';

export const feedPrefixes: readonly string[] = [organizationStreamPrefix];

/** Between looks at the end of the log, for all feeds of a process together. */
const LOOK_MS = 200;
/** Between looks at who somebody is, and whether they still may. */
const RENEW_MS = 500;
/** Between signs of life on a quiet line: proxies cut what is silent for a minute. */
const HEARTBEAT_MS = 15_000;
/** When whoever was cut off comes again. */
const RETRY_MS = 2_000;

/**
 * Changes of all organizations after a position, up to the present end, in the order of their commits.
 * @param from where it was looked through up to, if that is further; an event of the server's own there may be gone again
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

/** The same for somebody, up to the present end: each with the cursor that goes on behind it. */
export async function* visibleChanges(
  log: EventLog,
  after: Position | undefined,
  sight: EventVisibility,
): AsyncGenerator<object, void> {
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

/** Looks at the end of a log, as often as it is asked and no oftener than it is worth. */
export function cachedHead(log: Pick<EventLog, 'head'>): () => Promise<Position> {
  let known: Readonly<{ head: Promise<Position>; at: number }> | undefined;
  return () => {
    if (!known || performance.now() - known.at >= LOOK_MS) known = { head: log.head(), at: performance.now() };
    return known.head;
  };
}

export type ChangeFeed = Readonly<{
  runtime: Pick<Runtime, 'log' | 'stopping'>;
  response: Response;
  after: Position | undefined;
  sight: EventVisibility;
  head: () => Promise<Position>;
  /** Told before anything is sent, and again from time to time. */
  record: () => Promise<void>;
  gone: AbortSignal;
  aside: ReleaseSlotWhile;
}>;

/**
 * Server-sent events, for as long as somebody listens and may: what is there, and then what comes. It waits for its reader,
 * so a slow one makes nothing grow. Ends at a stop; whoever listens comes again where they were, here or at another process.
 */
export async function sendChanges({
  runtime,
  response,
  after,
  sight,
  head,
  record,
  gone,
  aside,
}: ChangeFeed): Promise<void> {
  const { log } = runtime;
  const store = await log.identity();
  let [position, scanned, cursor] = [after, after, ''];
  let [renewed, spoke] = [performance.now(), performance.now()];
  const say = async (text: string) => {
    await writeWhenDrained(response, text, gone, aside);
    spoke = performance.now();
  };
  const keepUp = async () => {
    if (performance.now() - renewed >= RENEW_MS) {
      await sight.renew();
      await record();
      renewed = performance.now();
    }
    // The cursor goes on also past what this reader does not see.
    if (performance.now() - spoke >= HEARTBEAT_MS) await say(`${cursor && `id: ${cursor}\n`}: still here\n\n`);
  };

  response.set({ 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
  await say(`retry: ${RETRY_MS}\n\n`);
  while (!runtime.stopping()) {
    const end = await head();
    // An older store is in its place: whoever comes again is told. What others saw of the end may be a little older, too.
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
