import type { CommandContext, Decider, EachDecision, Folded, Immutable, Message } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import { streamQueue } from './stream-queue';
import type { Preview, Receipt } from './receipts';
import { QUEUE_WAIT_MS, deadlineFromNow } from './deadline';
import { type ReplayRange, replayStream, type ReplayRules, type HistoryPoint, type ReplayVisitor } from './replay';
import type { EventLog } from '@charter/event-log';
import { previewCommands } from './preview';
import { aggregateCache, type CachedStream } from './aggregate-cache';
import type { CommandRunner } from './execute';
import { type QueuedCommand, executeBatched } from './batch-append';

/**
 * The maximum number of commands and queries that wait for one stream. Further commands and queries fail with
 * `Overloaded`.
 */
const WAITING_MAX = 1_000;

export type AggregateOptions<Draft, Event extends Message> = Pick<
  ReplayRules<Draft, Event>,
  'upcast' | 'skipsUnreadable'
> &
  Readonly<{
    /**
     * The number of the newest schema of each event type; 1 for a type that is not listed. `upcast` converts older
     * events to the newest schema.
     */
    schemas?: Readonly<Record<string, number>>;
    /** The maximum number of streams in the cache. */
    cachedStreamsMax?: number;
  }>;

/**
 * All streams to which one decider applies. Except for the import of a whole log, Charter appends to streams only
 * through `Aggregates`.
 */
export type Aggregates<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  /**
   * Executes commands in one append: either all of them or none. Each command is decided on the state that the earlier
   * commands produce. A repeated command id returns the receipt of the first execution.
   * @throws Refused, RevisionMismatch, UnreadableStream, Overloaded; `Conflict` if other processes wrote first at every
   * attempt. A `LogError` of kind `unavailable` means that the outcome is unknown; a retry with the same command id is
   * then safe.
   */
  execute: (stream: string, commands: Command | readonly Command[], context: Envelope) => Promise<Receipt<Event>>;
  /**
   * Calls `read` with the current state. `read` must be synchronous, and its answer must not contain a reference to the
   * state. Several queries of one request share one `deadline` (`deadlineFromNow`).
   */
  query: <Answer>(
    stream: string,
    read: (current: Folded<Immutable<Draft>>) => Answer,
    deadline?: number,
  ) => Promise<Answer>;
  /**
   * The cached state; `undefined` if the stream is not cached. This function does not read the log, so the state may
   * lack the newest events. The caller must use the state synchronously.
   */
  cached: (stream: string) => Folded<Immutable<Draft>> | undefined;
  /**
   * The cached state, if it certainly contains the newest event of the stream; otherwise `undefined`, and the caller
   * must use `query`. Only a log in a file can prove this synchronously. The caller must use the state synchronously.
   * `version` is the log's version, if the caller has already read it in this tick of the event loop.
   */
  current: (stream: string, version?: unknown) => Folded<Immutable<Draft>> | undefined;
  /** Whether the stream contains events of this command. If so, `execute` returns the receipt of the earlier events. */
  isExecuted: (stream: string, command: string) => Promise<boolean>;
  /**
   * Empties the cache. The caller must call this function when another log has replaced the earlier log (`event-log.md`
   * D5).
   */
  invalidate: () => void;
  /** Decides commands on a copy of the current state and returns their effect. Writes nothing. */
  preview: (
    stream: string,
    commands: readonly Command[],
    context: CommandContext,
    options?: EachDecision<Draft, Command>,
  ) => Promise<Preview<Draft, Event, Reason>>;
  /** Like `preview`, on the given state instead of the current state. */
  previewOn: (
    given: Folded<Immutable<Draft>>,
    commands: readonly Command[],
    context: CommandContext,
    options?: EachDecision<Draft, Command>,
  ) => Preview<Draft, Event, Reason>;
  /**
   * The state at a revision or moment, as a copy that the caller may keep; `undefined` before the first event. `signal`
   * aborts the read.
   * @throws UnknownRevision, UnreadableStream, the reason of `signal`
   */
  stateAt: (stream: string, until: HistoryPoint, signal?: AbortSignal) => Promise<Folded<Immutable<Draft>> | undefined>;
  /**
   * Folds the events of a stream within a range. `visit` gets each event and decides whether the event is folded.
   * `start` is a state that contains all earlier events; the fold changes this state.
   */
  replay: (
    stream: string,
    extent: ReplayRange,
    visit?: ReplayVisitor<Draft, Event>,
    start?: Folded<Draft>,
  ) => Promise<Folded<Immutable<Draft>> | undefined>;
}>;

export function aggregates<Draft, Command extends Message, Event extends Message, Reason extends string>(
  log: EventLog,
  decider: Decider<Draft, Command, Event, Reason>,
  { schemas = {}, cachedStreamsMax = 10_000, ...options }: AggregateOptions<Draft, Event> = {},
): Aggregates<Draft, Command, Event, Reason> {
  const rules: ReplayRules<Draft, Event> = { ...decider, ...options };
  const cache = aggregateCache(log, rules, cachedStreamsMax);
  const runner: CommandRunner<Draft, Command, Event, Reason> = { log, decider, rules, cache, schemas };
  const enqueue = streamQueue<QueuedCommand<Command, Event>>(WAITING_MAX, QUEUE_WAIT_MS);

  /** Runs a query on a state that contains all events up to now. The state may also contain later events. */
  const onCurrent = <Answer>(
    stream: string,
    read: (current: CachedStream<Draft>) => Answer,
    deadline: number = deadlineFromNow(),
  ) => {
    const tick = cache.nextTick();
    return enqueue(stream, async () => read(await cache.currentAfter(stream, tick, deadline)));
  };

  return {
    execute: (stream, commands, context) => {
      const queued = { pending: { ...listed(commands), context, tick: cache.nextTick(), deadline: deadlineFromNow() } };
      return enqueue(stream, (behind) => executeBatched(runner, stream, queued, behind), queued);
    },
    query: (stream, read, deadline) =>
      onCurrent(stream, (current) => read(current as Folded<Immutable<Draft>>), deadline),
    cached: (stream) => cache.get(stream),
    current: cache.current,
    isExecuted: (stream, command) => onCurrent(stream, ({ answered }) => answered.has(command)),
    invalidate: cache.invalidateAll,
    preview: (stream, commands, context, options) =>
      onCurrent(stream, (current) => previewCommands(decider, current, commands, context, options)),
    previewOn: (given, commands, context, options) =>
      previewCommands(decider, given as Folded<Draft>, commands, context, options),
    stateAt: (stream, until, signal) => replayStream(log, rules, stream, { until, signal }),
    replay: (stream, extent, visit, start) => replayStream(log, rules, stream, extent, visit, start),
  };
}

const listed = <Command extends Message>(input: Command | readonly Command[]) =>
  isList(input) ? { commands: input, isList: true } : { commands: [input], isList: false };

const isList = <Item extends object>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);
