import type { AllStreamResolvedEvent, AllStreamSubscription, Filter, Position as Place } from '@eventstore/db-client';
import { LogError } from '../../errors';
import { type Delivery, type Position, positionOf, type StoredEvent } from '../../port';
import { matchesPrefixes, isSystemEvent } from '../../reading/read-rule';
import type { ServerCalls } from '../calls';
import { logErrorOf } from '../failure';
import { commitPositionOf, storedEventOf } from '../stored-event';
import { closedError, withTimeout } from '../time-bound';

/** One subscription on the server, until it fails; it is not mended here. */
export type LiveSubscription = Readonly<{
  /** What has come, in order; none when nothing came within `ms`. @throws LogError once everything before it was taken */
  take: (ms: number) => Promise<readonly Delivery[]>;
  /** Events taken, asked for or not. Unchanged and `isIdle`: nothing has come since. */
  taken: () => number;
  /** Where the last event that was taken lies; before the first one, where it began. */
  reached: () => Position | undefined;
  isIdle: () => boolean;
  /** Whether the server has said that the end was reached. */
  wasCaughtUp: () => boolean;
  end: () => void;
}>;

/** What one page of deliveries holds at most, and what the client keeps ready. */
const PAGE = 250;
const READY = 128;

/** The server tells how far it has looked after this many times 32 events that are not asked for. */
const INTERVAL = 4;

/** Subscribes, and resolves when the server has confirmed it. `after` is exclusive; none: everything. */
export async function subscribeAfter(
  calls: ServerCalls,
  after: Position | undefined,
  streamPrefixes: readonly string[],
): Promise<LiveSubscription> {
  const { client, ms, closing } = calls;
  /** What the server says between events. It arrives ahead of events that wait in the client, so its turn is counted. */
  const marks: { due: number; delivery: Delivery }[] = [];
  let taken = 0;
  let last = after;
  let reached = after;
  let failure: LogError | undefined;
  let caughtUp = false;
  let wake: () => void = () => undefined;

  const mark = (delivery: Delivery) => {
    marks.push({ due: taken + subscription.readableLength, delivery });
    wake();
  };
  const checkpointReached = (_: AllStreamSubscription, { commit }: Place) => {
    mark({ kind: 'checkpoint', position: positionOf(commit) });
    return Promise.resolve();
  };
  const place = after === undefined ? 'start' : { commit: BigInt(after), prepare: BigInt(after) };
  const subscription = client.subscribeToAll(
    { fromPosition: place, filter: filterFor(streamPrefixes, checkpointReached), requiresLeader: true },
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
        mark({ kind: 'caught-up' });
      });
  });
  const end = () => void subscription.unsubscribe().catch(() => undefined);
  try {
    await withTimeout(confirmed, { ms, what: 'The subscription was not confirmed', closing });
  } catch (error) {
    end();
    throw error;
  }

  /** An event as it is delivered; nothing for what was not asked for, or came before. */
  const deliveryOf = ({ event }: AllStreamResolvedEvent): StoredEvent | undefined => {
    if (!event || isSystemEvent({ stream: event.streamId, type: event.type })) return undefined;
    if (!matchesPrefixes(event.streamId, streamPrefixes)) return undefined;
    const position = commitPositionOf(event);
    if (last !== undefined && position <= last) return undefined; // twice on one connection, or of before
    const stored = storedEventOf(event);
    last = position;
    return stored;
  };
  const come = (): Delivery[] => {
    const found: Delivery[] = [];
    try {
      while (found.length < PAGE) {
        while (marks[0] && marks[0].due <= taken) found.push(marks.shift()!.delivery);
        const told = subscription.read() as AllStreamResolvedEvent | null;
        if (!told) break;
        const event = deliveryOf(told);
        taken += 1;
        if (told.event) reached = commitPositionOf(told.event);
        if (event) found.push({ kind: 'event', event });
      }
    } catch (error) {
      failure = logErrorOf(error, 'An event cannot be delivered'); // after those before it
    }
    return found;
  };
  const something = (patience: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patience);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (failure) wake();
    });

  return {
    take: async (patience) => {
      for (const until = performance.now() + patience; ;) {
        const found = come();
        if (found.length > 0) return found;
        if (failure) throw failure;
        const left = until - performance.now();
        if (left <= 0) return [];
        await something(left);
      }
    },
    taken: () => taken,
    reached: () => reached,
    isIdle: () => subscription.readableLength === 0 && marks.length === 0,
    wasCaughtUp: () => caughtUp,
    end: () => {
      failure ??= closedError();
      end();
      wake();
    },
  };
}

type Reached = NonNullable<Filter['checkpointReached']>;

/** The server's own filter; without prefixes everything but its own events. */
const filterFor = (prefixes: readonly string[], checkpointReached: Reached): Filter =>
  prefixes.length > 0
    ? { filterOn: 'streamName', prefixes: [...prefixes], checkpointInterval: INTERVAL, checkpointReached }
    : { filterOn: 'eventType', regex: '^[^$].*', checkpointInterval: INTERVAL, checkpointReached };
