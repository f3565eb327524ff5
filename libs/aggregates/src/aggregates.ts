import type { Asked, Decider, Folded, Immutable, Message } from '@charter/decider';
import type { Envelope } from '@charter/event-log';
import { inTurn } from './stream-queue';
import type { Preview, Receipt } from './receipts';
import { TURN_MS, untilFromNow } from './deadline';
import { type Extent, pastOf, type Reading, type Until, type Visit } from './replay';
import type { EventLog } from '@charter/event-log';
import { previewOn } from './preview';
import { remembered } from './aggregate-cache';
import type { Desk } from './execute';
import { type Place, tellInTurn } from './batch-append';

/** How many commands and looks may wait for one stream; the next one is `Overloaded`. */
const WAITING_MAX = 1_000;

export type AggregateOptions<Draft, Event extends Message> = Pick<Reading<Draft, Event>, 'upcast'> &
  Readonly<{
    /** The newest schema of each type of event, the one that `upcast` lifts to; 1 unless named. */
    schemas?: Readonly<Record<string, number>>;
    /** How many streams are remembered, the ones used last. */
    streamsKept?: number;
  }>;

/** The streams that follow one decider: the only code that appends to them. */
export type Aggregates<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  /**
   * Does what is asked, or nothing: several commands become one append, each judged on what the ones before it decided.
   * The same command id again gets the same receipt again.
   * @throws Refused, NotAsSeen, Unreadable, Overloaded; `Conflict` when others kept writing first; a `LogError` of kind
   * `unavailable` when the log gave no answer: it may have happened, and the same id again is safe
   */
  tell: (stream: string, asked: Command | readonly Command[], by: Envelope) => Promise<Receipt<Event>>;
  /** Asks about the present. The answer is worked out on the spot and must not hold on to the state. */
  look: <Answer>(stream: string, question: (present: Folded<Immutable<Draft>>) => Answer) => Promise<Answer>;
  /** What is remembered, which may be short of the present, or nothing. For use in the same turn only; reads nothing. */
  peek: (stream: string) => Folded<Immutable<Draft>> | undefined;
  /** Another log is in the place of the one before (`event-log.md` D5): what is remembered was never true of it. */
  forget: () => void;
  /** What commands would do to the present, on copies. Nothing is written. */
  preview: (stream: string, commands: readonly Command[], by: Asked) => Promise<Preview<Draft, Event, Reason>>;
  /**
   * The stream as it was then, the caller's own; undefined before its first event. `gone` ends the reading once it fires.
   * @throws UnknownRevision, Unreadable, why `gone` fired
   */
  atRevision: (stream: string, until: Until, gone?: AbortSignal) => Promise<Folded<Immutable<Draft>> | undefined>;
  /** The same for all that is recorded, or for what was in force at a moment; `visit` sees each event, and folds it. */
  past: (stream: string, extent: Extent, visit?: Visit<Draft, Event>) => Promise<Folded<Immutable<Draft>> | undefined>;
}>;

export function aggregates<Draft, Command extends Message, Event extends Message, Reason extends string>(
  log: EventLog,
  decider: Decider<Draft, Command, Event, Reason>,
  { schemas = {}, streamsKept = 10_000, ...options }: AggregateOptions<Draft, Event> = {},
): Aggregates<Draft, Command, Event, Reason> {
  const reading: Reading<Draft, Event> = { initial: decider.initial, evolve: decider.evolve, ...options };
  const memory = remembered(log, reading, streamsKept);
  const desk: Desk<Draft, Command, Event, Reason> = { log, decider, reading, memory, schemas };
  const turn = inTurn<Place<Command, Event>>(WAITING_MAX, TURN_MS);

  /** Answers from the present, as it was when this was asked or later. */
  const onPresent = <Answer>(stream: string, question: (present: Folded<Draft>) => Answer) => {
    const [asked, until] = [memory.tick(), untilFromNow()];
    return turn(stream, async () => question(await memory.since(stream, asked, until)));
  };

  return {
    tell: (stream, commands, by) => {
      const place = { telling: { ...listed(commands), by, asked: memory.tick(), until: untilFromNow() } };
      return turn(stream, (behind) => tellInTurn(desk, stream, place, behind), place);
    },
    look: (stream, question) => onPresent(stream, (present) => question(present as Folded<Immutable<Draft>>)),
    peek: (stream) => memory.get(stream),
    forget: memory.forgetAll,
    preview: (stream, commands, by) => onPresent(stream, (present) => previewOn(decider, present, commands, by)),
    atRevision: (stream, until, gone) => pastOf(log, reading, stream, { until, gone }),
    past: (stream, extent, visit) => pastOf(log, reading, stream, extent, visit),
  };
}

const listed = <Command extends Message>(asked: Command | readonly Command[]) =>
  isList(asked) ? { commands: asked, isList: true } : { commands: [asked], isList: false };

const isList = <Item extends object>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);
