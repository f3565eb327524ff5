import type { CommandContext, Decider, Folded, Immutable, Message } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import { streamQueue } from './stream-queue';
import type { Preview, Receipt } from './receipts';
import { QUEUE_WAIT_MS, deadlineFromNow } from './deadline';
import { type ReplayRange, replayStream, type ReplayRules, type HistoryPoint, type ReplayVisitor } from './replay';
import type { EventLog } from '@charter/event-log';
import { previewCommands } from './preview';
import { aggregateCache } from './aggregate-cache';
import type { CommandRunner } from './execute';
import { type QueuedCommand, executeBatched } from './batch-append';

/** How many commands and looks may wait for one stream; the next one is `Overloaded`. */
const WAITING_MAX = 1_000;

export type AggregateOptions<Draft, Event extends Message> = Pick<ReplayRules<Draft, Event>, 'upcast'> &
  Readonly<{
    /** The newest schema of each type of event, the one that `upcast` lifts to; 1 unless named. */
    schemas?: Readonly<Record<string, number>>;
    /** How many streams are remembered, the ones used last. */
    cachedStreamsMax?: number;
  }>;

/** The streams that follow one decider: the only code that appends to them. */
export type Aggregates<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  /**
   * Does what is asked, or nothing: several commands become one append, each judged on what the ones before it decided.
   * The same command id again gets the same receipt again.
   * @throws Refused, NotAsSeen, Unreadable, Overloaded; `Conflict` when others kept writing first; a `LogError` of kind
   * `unavailable` when the log gave no answer: it may have happened, and the same id again is safe
   */
  execute: (stream: string, asked: Command | readonly Command[], by: Envelope) => Promise<Receipt<Event>>;
  /** Asks about the present. The answer is worked out on the spot and must not hold on to the state. */
  query: <Answer>(stream: string, question: (present: Folded<Immutable<Draft>>) => Answer) => Promise<Answer>;
  /** What is remembered, which may be short of the present, or nothing. For use in the same turn only; reads nothing. */
  cached: (stream: string) => Folded<Immutable<Draft>> | undefined;
  /** Another log is in the place of the one before (`event-log.md` D5): what is remembered was never true of it. */
  invalidate: () => void;
  /** What commands would do to the present, on copies. Nothing is written. */
  preview: (stream: string, commands: readonly Command[], by: CommandContext) => Promise<Preview<Draft, Event, Reason>>;
  /**
   * The stream as it was then, the caller's own; undefined before its first event. `gone` ends the reading once it fires.
   * @throws UnknownRevision, Unreadable, why `gone` fired
   */
  stateAt: (stream: string, until: HistoryPoint, gone?: AbortSignal) => Promise<Folded<Immutable<Draft>> | undefined>;
  /** The same for all that is recorded, or for what was in force at a moment; `visit` sees each event, and folds it. */
  replay: (
    stream: string,
    extent: ReplayRange,
    visit?: ReplayVisitor<Draft, Event>,
  ) => Promise<Folded<Immutable<Draft>> | undefined>;
}>;

export function aggregates<Draft, Command extends Message, Event extends Message, Reason extends string>(
  log: EventLog,
  decider: Decider<Draft, Command, Event, Reason>,
  { schemas = {}, cachedStreamsMax = 10_000, ...options }: AggregateOptions<Draft, Event> = {},
): Aggregates<Draft, Command, Event, Reason> {
  const reading: ReplayRules<Draft, Event> = { initial: decider.initial, evolve: decider.evolve, ...options };
  const memory = aggregateCache(log, reading, cachedStreamsMax);
  const desk: CommandRunner<Draft, Command, Event, Reason> = { log, decider, reading, memory, schemas };
  const turn = streamQueue<QueuedCommand<Command, Event>>(WAITING_MAX, QUEUE_WAIT_MS);

  /** Answers from the present, as it was when this was asked or later. */
  const onPresent = <Answer>(stream: string, question: (present: Folded<Draft>) => Answer) => {
    const [asked, until] = [memory.tick(), deadlineFromNow()];
    return turn(stream, async () => question(await memory.since(stream, asked, until)));
  };

  return {
    execute: (stream, commands, by) => {
      const place = { pending: { ...listed(commands), context: by, tick: memory.tick(), deadline: deadlineFromNow() } };
      return turn(stream, (behind) => executeBatched(desk, stream, place, behind), place);
    },
    query: (stream, question) => onPresent(stream, (present) => question(present as Folded<Immutable<Draft>>)),
    cached: (stream) => memory.get(stream),
    invalidate: memory.invalidateAll,
    preview: (stream, commands, by) => onPresent(stream, (present) => previewCommands(decider, present, commands, by)),
    stateAt: (stream, until, gone) => replayStream(log, reading, stream, { until, gone }),
    replay: (stream, extent, visit) => replayStream(log, reading, stream, extent, visit),
  };
}

const listed = <Command extends Message>(asked: Command | readonly Command[]) =>
  isList(asked) ? { commands: asked, isList: true } : { commands: [asked], isList: false };

const isList = <Item extends object>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);
