import {
  type Evolution,
  fold,
  type Folded,
  type Immutable,
  type Message,
  type Metadata,
  type Moment,
  emptyStream,
  type Recorded,
} from '@charter/decider';
import { isLogError } from '@charter/event-log';
import { UnreadableStream, UnknownRevision } from './receipts';
import type { StoredEvent, ReadStreamOptions, StreamReader } from '@charter/event-log';
import { recordedEvent, type Upcasting } from '@charter/event-log';

/** How the events of a stream are read, in whatever shape they were written. */
export type ReplayRules<Draft, Event extends Message> = Evolution<Draft, Event> & Upcasting<Event>;

/** Up to a revision, or up to the last event recorded by a moment; both inclusive. */
export type HistoryPoint = Readonly<{ revision: number }> | Readonly<{ moment: Moment }>;

/** How much of a stream is folded. */
export type ReplayRange = Readonly<{
  /** What was recorded by then; absent: all that is recorded. */
  until?: HistoryPoint | undefined;
  /** Only what was in force at this moment: whose `effectiveAt`, or else `at`, is not after it (`decisions.md` 24). */
  valid?: Moment | undefined;
  /** Ends the reading once it fires. */
  gone?: AbortSignal | undefined;
}>;

/** Sees each event that is read before it is folded, and folds it. Without `apply` it does not count. */
export type ReplayVisitor<Draft, Event extends Message> = (
  event: Recorded<Event>,
  before: Folded<Immutable<Draft>>,
  apply: (() => Folded<Immutable<Draft>>) | undefined,
) => void;

/**
 * A stream as it was then, folded from its events. Undefined before its first event, and for a stream that never was. Its
 * revision and moment say up to where it was read, also when the last events did not count.
 * @throws UnknownRevision beyond the end; Unreadable when an event before then cannot be folded; why `gone` fired
 */
export async function replayStream<Draft, Event extends Message>(
  log: StreamReader,
  reading: ReplayRules<Draft, Event>,
  stream: string,
  { until, valid, gone }: ReplayRange,
  visit: ReplayVisitor<Draft, Event> = (_event, _before, apply) => void apply?.(),
): Promise<Folded<Immutable<Draft>> | undefined> {
  let folded: Folded<Draft> = emptyStream<Draft>(reading);
  const maxCount = until && 'revision' in until ? until.revision + 1 : Infinity;
  if (maxCount <= 0) return undefined;

  await forEachEvent(log, stream, { from: 0n, ...(maxCount < Infinity && { maxCount }) }, (event) => {
    gone?.throwIfAborted();
    return orUnreadable(event, () => {
      const recorded = nextEvent(reading, folded, event);
      const { at } = recorded.metadata;
      if (until && 'moment' in until && at > until.moment) return false; // and `at` never decreases
      const isInForce = valid === undefined || heldFrom(recorded) <= valid;
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
    folded = fold(reading, [event], folded);
    return folded;
  }
}

/** From when on an event holds, which its data may say: late news is recorded later than it holds. */
const heldFrom = ({ data, metadata: { at } }: Recorded<Message>): Moment =>
  'effectiveAt' in data && typeof data.effectiveAt === 'string' ? data.effectiveAt : at;

/** Takes the events of a stream from a revision on, until `take` says false. A stream that never was has none. */
export async function forEachEvent(
  log: StreamReader,
  stream: string,
  options: ReadStreamOptions & Readonly<{ from: bigint }>,
  take: (event: StoredEvent) => unknown,
): Promise<void> {
  try {
    for await (const event of log.readStream(stream, options)) if (take(event) === false) return;
  } catch (error) {
    if (options.from > 0n || !isLogError(error, 'not-found')) throw error;
  }
}

/** A stored event as the next one of a fold. @throws when it is not the next one, or not one of ours */
export function nextEvent<Draft, Event extends Message>(
  reading: ReplayRules<Draft, Event>,
  { revision }: Folded<Draft>,
  event: StoredEvent,
): Recorded<Event> {
  if (event.revision !== BigInt(revision + 1)) throw new Error(`Revision ${revision + 1} is missing before it.`);
  if (!isOurs(event.metadata)) throw new Error('It does not carry our metadata.');
  return recordedEvent(reading, event);
}

/** Whatever goes wrong with an event is said of that event. @throws Unreadable */
export function orUnreadable<Answer>({ stream, revision }: StoredEvent, read: () => Answer): Answer {
  try {
    return read();
  } catch (cause) {
    throw new UnreadableStream(stream, Number(revision), cause);
  }
}

const isOurs = (metadata: unknown): boolean => {
  if (typeof metadata !== 'object' || metadata === null) return false;
  const { command, at, hash, actor } = metadata as Partial<Metadata>;
  return typeof command === 'string' && typeof at === 'string' && typeof hash === 'string' && typeof actor === 'object';
};
