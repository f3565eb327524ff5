import { setTimeout as sleep } from 'node:timers/promises';
import type { Decider, Message } from '@charter/decider';
import { sealEvents, type SealedEvent } from '@charter/integrity';
import { withoutMetadata, previousReceipt } from './previous-receipt';
import type { Envelope } from '@charter/event-log';
import { Conflict, isLogError } from '@charter/event-log';
import { isRandomUuid } from '@charter/event-log';
import type { Receipt } from './receipts';
import { forEachEvent, type ReplayRules } from './replay';
import { appendTimeLeft } from './deadline';
import type { AppendResult, EventLog } from '@charter/event-log';
import type { CachedStream, AggregateCache } from './aggregate-cache';
import { type PendingCommand, type CommandDecision, decideCommands } from './decide-commands';

/** What telling works on. */
export type CommandRunner<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  log: EventLog;
  decider: Decider<Draft, Command, Event, Reason>;
  reading: ReplayRules<Draft, Event>;
  memory: AggregateCache<Draft, Event>;
  /** The newest schema of each type of event; 1 unless named. */
  schemas: Readonly<Record<string, number>>;
}>;

const ATTEMPTS_MAX = 10;

/**
 * Decides on what is remembered and appends at its revision. A yes is checked by its append; anything else is said on the
 * present only, as it was when this was asked or later.
 * @throws Refused, NotAsSeen, Unreadable; Conflict after ten attempts; what the log throws, `unavailable` with the
 * outcome still unknown
 */
export async function executeCommand<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  telling: PendingCommand<Command>,
): Promise<Receipt<Event>> {
  const { memory, decider } = desk;
  const { context, tick, deadline } = telling;
  let present = memory.get(stream) ?? (await memory.catchUp(stream, deadline));
  for (let conflicts = 0; ;) {
    const before = present.answered.get(context.command);
    if (before !== undefined) return repeated(await previousReceiptOf(desk, stream, context, before));

    const verdict = decideCommands(decider, present, telling);
    if (isAccepted(verdict)) {
      const outcome = await append(desk, stream, present, verdict.events, telling);
      if (!(outcome instanceof Conflict)) return outcome;
      conflicts += 1;
      if (conflicts === ATTEMPTS_MAX) throw outcome;
      await sleep(pauseAfter(conflicts));
    } else if (present.seen > tick) {
      if ('no' in verdict) throw verdict.no();
      return { revision: present.revision, events: [] };
    }
    present = await memory.catchUp(stream, deadline);
  }
}

export const isAccepted = <Event extends Message>(
  verdict: CommandDecision<Event>,
): verdict is { events: readonly Event[] } => 'events' in verdict && verdict.events.length > 0;

/** The receipt; or the conflict, if somebody else was faster. */
async function append<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  present: CachedStream<Draft>,
  decided: readonly Event[],
  { context, deadline }: PendingCommand<Command>,
): Promise<Receipt<Event> | Conflict> {
  const { log, memory, schemas } = desk;
  const events = sealEvents(decided, stream, present, context, schemas);
  const sent = memory.tick();
  try {
    const { position } = await appendSealed(log, stream, present, events, deadline);
    memory.grow(stream, present, events, sent);
    return { revision: present.revision + events.length, events: events.map(withoutMetadata), position };
  } catch (error) {
    if (error instanceof Conflict) return conflictAt(memory, stream, present, error);
    if (isLogError(error, 'unavailable')) return receiptIfWritten(desk, stream, context, deadline, error);
    throw error;
  }
}

/**
 * Appends at exactly the revision that the events were sealed for.
 * @throws Conflict also when the log takes this for an append that it has seen, but what it has seen is another one: the
 * same command, told to another process at the same revision. Its events have other hashes than these.
 */
export async function appendSealed<Event extends Message>(
  log: EventLog,
  stream: string,
  { revision }: { revision: number },
  events: readonly SealedEvent<Event>[],
  until: number,
): Promise<AppendResult> {
  const expected = revision < 0 ? 'no_stream' : BigInt(revision);
  const answer = await log.append(stream, events, { expected, deadline: appendTimeLeft(until) });
  const isNew =
    answer.repeated === undefined ? events.every(({ metadata }) => isRandomUuid(metadata.command)) : !answer.repeated;
  if (isNew || (await isWritten(log, stream, events.at(-1)!))) return answer;
  throw new Conflict(stream, expected, answer.revision);
}

async function isWritten(
  log: EventLog,
  stream: string,
  { revision, metadata: { hash } }: SealedEvent,
): Promise<boolean> {
  let isSame = false;
  await forEachEvent(log, stream, { from: BigInt(revision), maxCount: 1 }, ({ metadata }) => {
    isSame = typeof metadata === 'object' && metadata !== null && 'hash' in metadata && metadata.hash === hash;
  });
  return isSame;
}

/** A stream that ends before what is remembered of it is another one: an older store was put in the place of this one. */
function conflictAt<Draft, Event extends Message>(
  memory: AggregateCache<Draft, Event>,
  stream: string,
  { revision }: CachedStream<Draft>,
  conflict: Conflict,
): Conflict {
  if (conflict.actual === 'no_stream' || conflict.actual < BigInt(revision)) memory.invalidate(stream);
  return conflict;
}

/** An append without an answer: it is in, or it was never seen. @throws the failure, as long as it is not in */
async function receiptIfWritten<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  by: Envelope,
  until: number,
  failure: unknown,
): Promise<Receipt<Event>> {
  const present = await desk.memory.catchUp(stream, until).catch(() => undefined);
  const last = present?.answered.get(by.command);
  if (last === undefined) throw failure;
  return previousReceiptOf(desk, stream, by, last);
}

export const previousReceiptOf = <Draft, Command extends Message, Event extends Message, Reason extends string>(
  { log, reading }: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  { command }: Envelope,
  last: number,
) => previousReceipt(log, reading, stream, command, last);

const repeated = <Event extends Message>(receipt: Receipt<Event>): Receipt<Event> => ({ ...receipt, repeated: true });

/** Milliseconds: soon at first, later and at random the longer it goes on, so that two rivals get out of step. */
const pauseAfter = (conflicts: number) => (conflicts === 1 ? 0 : Math.random() * Math.min(100, 2 ** conflicts));
