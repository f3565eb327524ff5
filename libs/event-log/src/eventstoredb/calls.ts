import { setTimeout as pause } from 'node:timers/promises';
import type { StreamingRead, ResolvedEvent } from '@eventstore/db-client';
import type { SerializedEvent } from '../serialized-event';
import { isLogError, LogError } from '../errors';
import { type AppendResult, type ExpectedRevision, positionOf } from '../port';
import { type EventStoreClient, appendCredentials } from './client';
import type { EventStoreAddress } from './address';
import { appendErrorOf, logErrorOf } from './failure';
import type { ServerEvent } from './stored-event';
import { concurrencyLimit, NotStarted, withTimeout } from './time-bound';

type Direction = 'forwards' | 'backwards';
/** Where a page begins: `all` takes positions, a stream revisions. */
export type PageRequest = Readonly<{ direction: Direction; maxCount: number; ms: number }> &
  (
    | Readonly<{ stream: string; from: bigint | 'end' }>
    | Readonly<{ stream?: undefined; from: bigint | 'start' | 'end' }>
  );

/** The server's answers, each within its time; every failure is a `LogError`. */
export type ServerCalls = Readonly<{
  client: EventStoreClient;
  /** Milliseconds that a call may take unless it says otherwise. */
  ms: number;
  /** One try. @throws Conflict, and LogError `unavailable` when nobody knows whether it happened */
  append: (
    stream: string,
    events: readonly SerializedEvent[],
    expected: ExpectedRevision,
    ms: number,
  ) => Promise<AppendResult>;
  /** A read of its own, finished before it is answered: what is taken slowly or left early holds nothing open. */
  page: (of: PageRequest) => Promise<readonly ServerEvent[]>;
  /** Aborted when the log is closed. */
  closing: AbortSignal;
}>;

/** One connection carries 100 calls; beyond that all of them hang. What is left over is for subscriptions. */
const CALLS_MAX = 64;

/** How many calls may wait for one of those. The next one is refused at once: a store that is away gathers no crowd. */
const WAITING_MAX = 1_000;

export function callsOf(
  client: EventStoreClient,
  address: EventStoreAddress,
  ms: number,
  closing: AbortSignal,
): ServerCalls {
  const credentials = appendCredentials(address);
  const inBounds = concurrencyLimit(CALLS_MAX, WAITING_MAX);

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
        const { nextExpectedRevision, position } = await withTimeout(inBounds(send, time), { ms: time, what });
        // Known ids in a stream that an outside tool deleted: nothing was written, and nothing is there.
        if (!position) throw new LogError('deleted', `The stream ${stream} was deleted by other means.`);
        return { revision: nextExpectedRevision, position: positionOf(position.commit) };
      } catch (cause) {
        throw appendErrorOf(cause, stream, expected);
      }
    },
    page: async (of) => {
      const what = of.stream === undefined ? 'The log cannot be read' : `The stream ${of.stream} cannot be read`;
      const end = performance.now() + of.ms;
      const read = async () => {
        const left = end - performance.now(); // what the wait for a turn has left of it
        if (left < LEAST_MS) throw new NotStarted(`${what}: no turn within ${Math.round(of.ms)} ms.`);
        return collected(opened(client, of), left, what);
      };
      const asked = () => withTimeout(inBounds(read, of.ms), { ms: of.ms * PAGE_STEPS, what, closing });
      return onceMore(asked, of.ms);
    },
  };
}

/**
 * A read may be asked again: after another member became the leader, or a connection was lost, the second time goes to the
 * right place. Not when the first time took long, or found no room.
 */
async function onceMore<Answer>(read: () => Promise<Answer>, ms: number): Promise<Answer> {
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

/** A read is never begun with less than this. */
const LEAST_MS = 10;

/** Before a read is asked again, in milliseconds. */
const AGAIN_MS = 20;

/** A page takes longer than one step of it, as its time begins anew with each event; but not for ever. */
const PAGE_STEPS = 10;

/** JSON travels as it was checked: parsed back from the port's own text, so that the client cannot stumble over it. */
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

/** All events of a read. It is always let go of: one that is left open takes a place on the connection for ever. */
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
    read.on('error', fail); // stays: what comes late must not end the process
  });
}
