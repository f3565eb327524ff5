import { setTimeout as pause } from 'node:timers/promises';
import type { StreamingRead, ResolvedEvent } from '@eventstore/db-client';
import type { SerializedEvent } from '../serialized-event';
import { concurrencyLimit } from '../concurrency-limit';
import { isLogError, LogError } from '../errors';
import { type AppendResult, type ExpectedRevision, positionOf } from '../port';
import { type EventStoreClient, appendCredentials } from './client';
import type { EventStoreAddress } from './address';
import { appendErrorOf, logErrorOf } from './failure';
import type { ServerEvent } from './stored-event';
import { NotStarted, withTimeout } from './time-bound';

type Direction = 'forwards' | 'backwards';
/** Where a page begins: at a position of the whole log, or at a revision of a stream. */
export type PageRequest = Readonly<{ direction: Direction; maxCount: number; ms: number }> &
  (
    | Readonly<{ stream: string; from: bigint | 'end' }>
    | Readonly<{ stream?: undefined; from: bigint | 'start' | 'end' }>
  );

/** Calls to the server, each with a time limit. Every failure is a `LogError`. */
export type ServerCalls = Readonly<{
  client: EventStoreClient;
  /** The default time limit of a call in milliseconds. */
  ms: number;
  /** Tries once. @throws Conflict, and LogError `unavailable` if the outcome is unknown */
  append: (
    stream: string,
    events: readonly SerializedEvent[],
    expected: ExpectedRevision,
    ms: number,
  ) => Promise<AppendResult>;
  /** Reads a page and ends the read, so that a consumer that is slow or stops early leaves no call open. */
  page: (of: PageRequest) => Promise<readonly ServerEvent[]>;
  /** Aborted when the log is closed. */
  closing: AbortSignal;
}>;

/**
 * One connection carries 100 calls; with more, all of them hang (`event-log.md` B). The others are for subscriptions.
 */
const CALLS_MAX = 64;

/** How many calls may wait for a free one. Further calls fail at once, so that a lost server fills no memory. */
const WAITING_MAX = 1_000;

export function callsOf(
  client: EventStoreClient,
  address: EventStoreAddress,
  ms: number,
  closing: AbortSignal,
): ServerCalls {
  const credentials = appendCredentials(address);
  const limit = concurrencyLimit({
    runningMax: CALLS_MAX,
    waitingMax: WAITING_MAX,
    full: (waiting) => new NotStarted(`The event store is busy: ${waiting} calls are waiting.`, true),
  });
  const limited = <Answer>(call: () => Promise<Answer>, within: number): Promise<Answer> =>
    limit(call, {
      ms: within,
      late: () => new NotStarted(`The event store is busy: no free call within ${Math.round(within)} ms.`),
    });

  return {
    client,
    ms,
    closing,
    append: async (stream, events, expected, time) => {
      const end = performance.now() + time;
      const what = `An append to ${stream} failed`;
      const send = async () => {
        const deadline = Math.max(1, end - performance.now());
        const options = { expectedRevision: expected, requiresLeader: true, credentials, deadline };
        return client.appendToStream(stream, events.map(proposed), options);
      };
      try {
        const { nextExpectedRevision, position } = await withTimeout(limited(send, time), { ms: time, what });
        // The append repeats known ids in a stream that another tool deleted: the server wrote nothing.
        if (!position) throw new LogError('deleted', `The stream ${stream} was deleted by another tool.`);
        return { revision: nextExpectedRevision, position: positionOf(position.commit) };
      } catch (cause) {
        throw appendErrorOf(cause, stream, expected);
      }
    },
    page: async (of) => {
      const what = of.stream === undefined ? 'The log cannot be read' : `The stream ${of.stream} cannot be read`;
      const end = performance.now() + of.ms;
      const read = async () => {
        const left = end - performance.now(); // after waiting for a free call
        if (left < LEAST_MS) throw new NotStarted(`${what}: no free call within ${Math.round(of.ms)} ms.`);
        return collected(opened(client, of), left, what);
      };
      const readPage = () => withTimeout(limited(read, of.ms), { ms: of.ms * PAGE_STEPS, what, closing });
      return readTwice(readPage, of.ms);
    },
  };
}

/**
 * Repeats a read once: after a change of leader or a lost connection, the second try reaches the right member. No
 * second try when the first one took long, or never started.
 */
async function readTwice<Answer>(read: () => Promise<Answer>, ms: number): Promise<Answer> {
  const began = performance.now();
  try {
    return await read();
  } catch (error) {
    const isSoon = performance.now() - began < ms / 4;
    if (!isSoon || !isLogError(error, 'unavailable') || error instanceof NotStarted) throw error;
    await pause(AGAIN_MS);
    return read();
  }
}

/** The time that a read needs at least, in milliseconds; with less, it does not start. */
const LEAST_MS = 10;

/** The pause before the second try, in milliseconds. */
const AGAIN_MS = 20;

/** A page may take this many times its time limit: the limit starts again with each event. */
const PAGE_STEPS = 10;

/** Parses the port's own text, so that the client sends exactly the content that was checked. */
const proposed = ({ id, type, data, metadata }: SerializedEvent) => ({
  id,
  type,
  contentType: 'application/json' as const,
  data: JSON.parse(data) as Record<string, unknown>,
  metadata: metadata === null ? undefined : (JSON.parse(metadata) as Record<string, unknown>),
});

function opened(client: EventStoreClient, of: PageRequest): StreamingRead<ResolvedEvent> {
  const { direction, maxCount } = of;
  const options = { direction, maxCount, requiresLeader: true };
  if (of.stream !== undefined) return client.readStream(of.stream, { ...options, fromRevision: of.from });
  const fromPosition = typeof of.from === 'bigint' ? { commit: of.from, prepare: of.from } : of.from;
  return client.readAll({ ...options, fromPosition });
}

/** All events of a read. Always cancels the read: an open one occupies a call of the connection for ever. */
function collected(read: StreamingRead<ResolvedEvent>, ms: number, what: string): Promise<readonly ServerEvent[]> {
  return new Promise((resolve, reject) => {
    const found: ServerEvent[] = [];
    const settle = (how: () => void) => {
      clearTimeout(timer);
      void read.cancel().catch(() => undefined);
      how();
    };
    const fail = (cause: unknown) => settle(() => reject(logErrorOf(cause, what)));
    const late = () => fail(new LogError('unavailable', `${what}: no answer within ${Math.round(ms)} ms.`));
    const timer = setTimeout(late, ms);
    read.on('data', ({ event }: ResolvedEvent) => {
      timer.refresh();
      if (event) found.push(event);
    });
    read.on('end', () => settle(() => resolve(found)));
    read.on('error', fail); // stays attached: a late error without a listener would end the process
  });
}
