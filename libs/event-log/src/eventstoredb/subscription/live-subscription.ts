import type { AllStreamResolvedEvent, AllStreamSubscription, Filter, Position as Place } from '@eventstore/db-client';
import { LogError } from '../../errors';
import {
  type Delivery,
  EMPTY_LOG_POSITION,
  type Position,
  POSITION_MAX,
  positionOf,
  type StoredEvent,
} from '../../port';
import { matchesPrefixes, isSystemEvent } from '../../reading/read-rule';
import type { ServerCalls } from '../calls';
import { logErrorOf } from '../failure';
import { headOf } from '../pages';
import { commitPositionOf, storedEventOf } from '../stored-event';
import { closedError, withTimeout } from '../time-bound';

/**
 * One subscription on the server, which ends with its first failure. `EventStoreSubscription` then starts a new live
 * subscription.
 */
export type LiveSubscription = Readonly<{
  /**
   * The next deliveries, in order; empty if no delivery arrives within `ms`.
   * @throws LogError for a failure, once the caller has taken all deliveries before the failure
   */
  take: (ms: number) => Promise<readonly Delivery[]>;
  /**
   * The number of events that `take` has read, including events that do not match the filter. If the number of read
   * events has not changed and `isIdle` is true, no event has arrived since the last call.
   */
  taken: () => number;
  /**
   * The position of the last event that `take` has read. Before the first event, the position at which the subscription
   * began.
   */
  reached: () => Position | undefined;
  isIdle: () => boolean;
  /** Whether the server has reported that the subscription has reached the end of the log. */
  wasCaughtUp: () => boolean;
  end: () => void;
}>;

/** The maximum number of deliveries on one page, and of events that the client buffers. */
const PAGE = 250;
const READY = 128;

/** After 32 times this number of events that do not match the filter, the server reports its position. */
const INTERVAL = 4;

/**
 * Subscribes, and resolves when the server has confirmed the subscription. The first delivered event is the first event
 * after `after`; if `after` is `undefined`, it is the first event of the log.
 */
export async function subscribeAfter(
  calls: ServerCalls,
  after: Position | undefined,
  streamPrefixes: readonly string[],
): Promise<LiveSubscription> {
  const { client, ms, closing } = calls;
  /**
   * Controls are checkpoints and `caught-up`. A control arrives while earlier events are still in the read buffer. Each
   * control therefore waits until `taken`, the number of events that were read, has reached the control's `due`.
   */
  const controls: { due: number; delivery: Delivery }[] = [];
  let taken = 0;
  let last = after;
  let reached = after;
  let failure: LogError | undefined;
  let caughtUp = false;
  let wake: () => void = () => undefined;

  const dueNow = () => taken + subscription.readableLength;
  const addControl = (delivery: Delivery, due = dueNow()) => {
    controls.push({ due, delivery });
    wake();
  };
  let head = after ?? EMPTY_LOG_POSITION;
  let readingHead: Promise<void> | undefined;
  const readHead = async () => void (head = await headOf(calls).catch(() => head));
  /**
   * Adds a checkpoint for a position that the server reports. Drops a position beyond the end of the log: a 24.2 server
   * reports such a position while its filter has matched nothing. To check the position, the subscription reads the end
   * of the log; events do not wait for this read. A dropped position causes no fault, because later positions follow.
   */
  const checkpointReached = (_: AllStreamSubscription, { commit }: Place) => {
    const [position, due] = [positionOf(commit), dueNow()];
    const confirm = () => {
      if (position <= head) addControl({ kind: 'checkpoint', position }, due);
    };
    if (position <= head) confirm();
    else if (position <= POSITION_MAX)
      void (readingHead ??= readHead().finally(() => (readingHead = undefined))).then(confirm);
    return Promise.resolve();
  };
  const fromPosition = after === undefined ? 'start' : { commit: BigInt(after), prepare: BigInt(after) };
  const subscription = client.subscribeToAll(
    { fromPosition, filter: filterFor(streamPrefixes, checkpointReached), requiresLeader: true },
    { highWaterMark: READY },
  );
  const confirmed = new Promise<void>((resolve, reject) => {
    const fail = (why: LogError) => {
      failure ??= why;
      reject(why);
      wake();
    };
    subscription
      .on('confirmation', () => resolve())
      .on('error', (cause) => fail(logErrorOf(cause, 'The subscription failed')))
      .on('end', () => fail(new LogError('unavailable', 'The server ended the subscription.')))
      .on('readable', () => wake())
      .on('caughtUp', () => {
        caughtUp = true;
        addControl({ kind: 'caught-up' });
      });
  });
  const end = () => void subscription.unsubscribe().catch(() => undefined);
  try {
    await withTimeout(confirmed, { ms, what: 'The subscription was not confirmed', closing });
  } catch (error) {
    end();
    throw error;
  }

  /**
   * The event to deliver; `undefined` for a system event, an event that does not match, or an event that was already
   * delivered.
   */
  const deliveryOf = ({ event }: AllStreamResolvedEvent): StoredEvent | undefined => {
    if (!event || isSystemEvent({ stream: event.streamId, type: event.type })) return undefined;
    if (!matchesPrefixes(event.streamId, streamPrefixes)) return undefined;
    const position = commitPositionOf(event);
    // The server repeated the event on this connection, or the event precedes the start of the subscription.
    if (last !== undefined && position <= last) return undefined;
    const stored = storedEventOf(event);
    last = position;
    return stored;
  };
  const available = (): Delivery[] => {
    const found: Delivery[] = [];
    try {
      while (found.length < PAGE) {
        while (controls[0] && controls[0].due <= taken) found.push(controls.shift()!.delivery);
        const resolved = subscription.read() as AllStreamResolvedEvent | null;
        if (!resolved) break;
        const event = deliveryOf(resolved);
        taken += 1;
        if (resolved.event) reached = commitPositionOf(resolved.event);
        if (event) found.push({ kind: 'event', event });
      }
    } catch (error) {
      // The subscription throws this error only after the consumer has taken the events before the error.
      failure = logErrorOf(error, 'An event cannot be delivered');
    }
    return found;
  };
  const nextArrival = (waitMs: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (failure) wake();
    });

  return {
    take: async (waitMs) => {
      for (const until = performance.now() + waitMs; ;) {
        const found = available();
        if (found.length > 0) return found;
        if (failure) throw failure;
        const left = until - performance.now();
        if (left <= 0) return [];
        await nextArrival(left);
      }
    },
    taken: () => taken,
    reached: () => reached,
    isIdle: () => subscription.readableLength === 0 && controls.length === 0,
    wasCaughtUp: () => caughtUp,
    end: () => {
      failure ??= closedError();
      end();
      wake();
    },
  };
}

type Reached = NonNullable<Filter['checkpointReached']>;

/** The filter that the server applies. Without prefixes, the filter passes all events except system events. */
const filterFor = (prefixes: readonly string[], checkpointReached: Reached): Filter =>
  prefixes.length > 0
    ? { filterOn: 'streamName', prefixes: [...prefixes], checkpointInterval: INTERVAL, checkpointReached }
    : { filterOn: 'eventType', regex: '^[^$].*', checkpointInterval: INTERVAL, checkpointReached };
