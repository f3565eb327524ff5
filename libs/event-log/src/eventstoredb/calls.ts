import type { StreamingRead, ResolvedEvent } from '@eventstore/db-client';
import type { SerializedEvent } from '../serialized-event';
import { concurrencyLimit } from '../concurrency-limit';
import { LogError } from '../errors';
import { type AppendResult, type ExpectedRevision, positionOf } from '../port';
import { type EventStoreClient, appendCredentials } from './client';
import type { EventStoreAddress } from './address';
import { appendErrorOf, logErrorOf } from './failure';
import type { ServerEvent } from './stored-event';
import { NotStarted, repeated, withTimeout } from './time-bound';

type Direction = 'forwards' | 'backwards';
/** A page of events to read. `from` is a position in the whole log, or a revision of a stream. */
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
  /** Tries the append once. @throws Conflict, and LogError `unavailable` if the outcome is unknown */
  append: (
    stream: string,
    events: readonly SerializedEvent[],
    expected: ExpectedRevision,
    ms: number,
  ) => Promise<AppendResult>;
  /**
   * Reads a page and ends the read on the server, so that no call stays open if the consumer is slow or stops early.
   * While the server is unavailable, repeats the read until the read's time limit. After a change of leader or a lost
   * connection, a later attempt reaches the right member.
   */
  page: (of: PageRequest) => Promise<readonly ServerEvent[]>;
  /** Like `page`, but tries the read once. */
  tryPage: (of: PageRequest) => Promise<readonly ServerEvent[]>;
  /** The signal that is aborted when the log is closed. */
  closing: AbortSignal;
}>;

/**
 * The maximum number of simultaneous appends and reads. One connection supports 100 calls; with more calls, all of them
 * hang (`event-log.md` B). Of the connection's 100 calls, the other 36 are for subscriptions.
 */
const CALLS_MAX = 64;

/**
 * The maximum number of appends and reads that wait until a running call has ended. Further calls fail at once, so that
 * an unreachable server does not fill the memory.
 */
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
      late: () =>
        new NotStarted(
          `The event store is busy: the maximum number of calls was running for ${Math.round(within)} ms.`,
        ),
    });

  /** One try of a read whose first event must arrive before `end`. */
  const tryPage = (of: PageRequest, end: number) => {
    const what = of.stream === undefined ? 'The log cannot be read' : `The stream ${of.stream} cannot be read`;
    const read = async () => {
      const left = end - performance.now(); // the time left after the wait until fewer calls were running
      if (left < LEAST_MS)
        throw new NotStarted(`${what}: the maximum number of calls was running for ${Math.round(of.ms)} ms.`);
      return collected(opened(client, of), left, what);
    };
    return withTimeout(limited(read, Math.max(1, end - performance.now())), { ms: of.ms * PAGE_STEPS, what, closing });
  };

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
        // An answer without a position means that the server wrote nothing. Another tool has deleted the stream, but
        // the server still knows the ids of these events.
        if (!position) throw new LogError('deleted', `The stream ${stream} was deleted by another tool.`);
        return { revision: nextExpectedRevision, position: positionOf(position.commit) };
      } catch (cause) {
        throw appendErrorOf(cause, stream, expected);
      }
    },
    page: (of) => {
      const end = performance.now() + of.ms;
      return repeated(() => tryPage(of, end), end - LEAST_MS);
    },
    tryPage: (of) => tryPage(of, performance.now() + of.ms),
  };
}

/** The minimum time for a read in milliseconds. If less time than the minimum is left, the read does not start. */
const LEAST_MS = 10;

/**
 * The time limit of a page begins again with each event. A page may thus take longer than its time limit, but at most
 * this multiple of the limit.
 */
const PAGE_STEPS = 10;

/**
 * The client accepts objects and serializes them itself. This function parses the objects from the text that Charter
 * checked, so the client sends exactly this content.
 */
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

/**
 * Collects all events of a read. Always cancels the read afterwards, because an open read occupies one of the
 * connection's calls for ever.
 */
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
    read.on('error', fail); // stays attached, because an error event without a listener would end the process
  });
}
