import {
  type Evolution,
  fold,
  type Folded,
  type Immutable,
  type Message,
  type Moment,
  emptyStream,
  type Recorded,
} from '@charter/decider';
import { hasMetadata } from '@charter/event-log';
import { readTimeLeft } from './deadline';
import { UnreadableStream, UnknownRevision } from './receipts';
import type { StoredEvent, ReadStreamOptions, StreamReader } from '@charter/event-log';
import { recordedEvent, type Upcasting } from '@charter/event-log';

/** How to fold the events of a stream, including events of older schemas. */
export type ReplayRules<Draft, Event extends Message> = Evolution<Draft, Event> &
  Upcasting<Event> &
  Readonly<{
    /**
     * If true, commands and queries skip events that cannot be folded. Must be true only for streams whose events never
     * make Charter refuse a command.
     */
    skipsUnreadable?: boolean;
  }>;

/**
 * A revision or a moment. A moment means the last event that was recorded at or before that moment. A replay up to a
 * revision or moment includes the event at that revision or moment.
 */
export type HistoryPoint = Readonly<{ revision: number }> | Readonly<{ moment: Moment }>;

/** Which events of a stream a replay folds. */
export type ReplayRange = Readonly<{
  /** The end of the replay; if absent, the last recorded event. */
  until?: HistoryPoint | undefined;
  /**
   * Folds only events in force at this moment: their `effectiveAt` (or `at`, if `effectiveAt` is absent) is not later
   * than this moment (`decisions.md` 24).
   */
  valid?: Moment | undefined;
  /** Aborts the read. */
  signal?: AbortSignal | undefined;
  /** The time by which the log must return the first event (`deadlineFromNow`). */
  deadline?: number | undefined;
}>;

/**
 * Called with each event before the fold; `apply` folds the event. `apply` is absent for an event that is not in force.
 */
export type ReplayVisitor<Draft, Event extends Message> = (
  event: Recorded<Event>,
  before: Folded<Immutable<Draft>>,
  apply: (() => Folded<Immutable<Draft>>) | undefined,
) => void;

/**
 * The state of a stream at a point of its history, folded from its events; `undefined` before the first event. The
 * result has the revision and the moment of the last event in the range, even if that event was not in force.
 * @param start a state that contains all earlier events; the fold changes this state. If absent, the fold begins with
 * the first event.
 * @throws UnknownRevision if the point is beyond the end; UnreadableStream for an event that cannot be folded; the
 * reason of `signal`
 */
export async function replayStream<Draft, Event extends Message>(
  log: StreamReader,
  rules: ReplayRules<Draft, Event>,
  stream: string,
  { until, valid, signal, deadline }: ReplayRange,
  visit: ReplayVisitor<Draft, Event> = (_event, _before, apply) => void apply?.(),
  start: Folded<Draft> = emptyStream<Draft>(rules),
): Promise<Folded<Immutable<Draft>> | undefined> {
  let folded = start;
  const maxCount = until && 'revision' in until ? until.revision - start.revision : Infinity;
  if (maxCount <= 0) return start.revision < 0 ? undefined : start;

  const read = {
    from: BigInt(start.revision + 1),
    ...(maxCount < Infinity && { maxCount }),
    ...(deadline !== undefined && { deadline: readTimeLeft(deadline) }),
  };
  await forEachEvent(log, stream, read, (event) => {
    signal?.throwIfAborted();
    return orUnreadable(event, () => {
      const recorded = nextEvent(rules, folded, event);
      const { at } = recorded.metadata;
      if (until && 'moment' in until && at > until.moment) return false; // ends here, because `at` never decreases
      const isInForce = valid === undefined || inForceFrom(recorded) <= valid;
      visit(recorded, folded, isInForce ? () => apply(recorded) : undefined);
      folded = { state: folded.state, revision: recorded.revision, at };
      return true;
    });
  });
  if (folded.revision < 0) return undefined;
  if (until && 'revision' in until && folded.revision < until.revision) {
    throw new UnknownRevision(stream, until.revision, folded.revision);
  }
  return folded;

  function apply(event: Recorded<Event>): Folded<Immutable<Draft>> {
    folded = fold(rules, [event], folded);
    return folded;
  }
}

/**
 * The moment from which an event is in force. Billing may record a message long after the moment at which the message's
 * change takes effect.
 */
export const inForceFrom = ({ data, metadata: { at } }: Recorded<Message>): Moment =>
  'effectiveAt' in data && typeof data.effectiveAt === 'string' ? data.effectiveAt : at;

/**
 * Passes the events of a stream to `take` until `take` returns false. If `from` is 0, a stream that does not exist has
 * no events.
 * @throws LogError of kind `not-found` if `from` is greater than 0 and the stream does not exist
 */
export async function forEachEvent(
  log: StreamReader,
  stream: string,
  options: ReadStreamOptions & Readonly<{ from: bigint }>,
  take: (event: StoredEvent) => unknown,
): Promise<void> {
  const absent = options.from > 0n ? 'error' : 'empty';
  for await (const event of log.readStream(stream, { ...options, absent })) if (take(event) === false) return;
}

/**
 * Checks that a stored event is the next event of a fold. @throws Error if the event's revision or metadata is wrong
 */
export function nextEvent<Draft, Event extends Message>(
  rules: ReplayRules<Draft, Event>,
  { revision }: Folded<Draft>,
  event: StoredEvent,
): Recorded<Event> {
  if (event.revision !== BigInt(revision + 1)) throw new Error(`Revision ${revision + 1} is missing before it.`);
  if (!hasMetadata(event)) throw new Error('The event does not have the metadata of Charter.');
  return recordedEvent(rules, event);
}

/** Runs `read`. @throws UnreadableStream if `read` fails; the error names the event */
export function orUnreadable<Answer>({ stream, revision }: StoredEvent, read: () => Answer): Answer {
  try {
    return read();
  } catch (cause) {
    throw new UnreadableStream(stream, Number(revision), cause);
  }
}
