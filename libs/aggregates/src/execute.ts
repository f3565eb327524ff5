import { setTimeout as sleep } from 'node:timers/promises';
import type { Decider, Message } from '@charter/decider';
import { sealEvents, type SealedEvent } from '@charter/integrity';
import { withoutMetadata, previousReceipt } from './previous-receipt';
import { Conflict, isLogError } from '@charter/event-log';
import { isRandomUuid } from '@charter/event-log';
import type { Receipt } from './receipts';
import { forEachEvent, type ReplayRules } from './replay';
import { appendTimeLeft, readTimeLeft } from './deadline';
import type { AppendResult, EventLog } from '@charter/event-log';
import type { CachedStream, AggregateCache } from './aggregate-cache';
import { type PendingCommand, type CommandDecision, decideCommands } from './decide-commands';

/** The log, the rules and the cache with which Charter executes commands on one kind of stream. */
export type CommandRunner<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  log: EventLog;
  decider: Decider<Draft, Command, Event, Reason>;
  rules: ReplayRules<Draft, Event>;
  cache: AggregateCache<Draft, Event>;
  /** The number of the newest schema of each event type; 1 for a type that is not listed. */
  schemas: Readonly<Record<string, number>>;
}>;

const ATTEMPTS_MAX = 10;

/**
 * Decides the command on the cached state, and appends the events at that state's revision. If the append succeeds, the
 * cached state was current. A refusal or a decision without events counts only if the state was current after the call
 * began. If the state was older, the loop reads the log and decides the command anew.
 * @throws Refused, RevisionMismatch, UnreadableStream; Conflict after ten attempts; LogError, whose kind `unavailable`
 * means that the outcome is unknown
 */
export async function executeCommand<Draft, Command extends Message, Event extends Message, Reason extends string>(
  runner: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  pending: PendingCommand<Command>,
): Promise<Receipt<Event>> {
  const { cache, decider } = runner;
  const { context, tick, deadline } = pending;
  let current = cache.get(stream) ?? (await cache.catchUp(stream, deadline));
  for (let conflicts = 0; ;) {
    const before = current.answered.get(context.command);
    if (before !== undefined) return repeated(await previousReceiptOf(runner, stream, pending, before));

    const decision = decideCommands(decider, current, pending);
    if (isAccepted(decision)) {
      const outcome = await append(runner, stream, current, decision.events, pending);
      if (!(outcome instanceof Conflict)) return outcome;
      conflicts += 1;
      if (conflicts === ATTEMPTS_MAX) throw outcome;
      await sleep(pauseAfter(conflicts));
    } else if (current.tick > tick) {
      if ('error' in decision) throw decision.error();
      return { revision: current.revision, events: [] };
    }
    current = await cache.catchUp(stream, deadline);
  }
}

export const isAccepted = <Event extends Message>(
  decision: CommandDecision<Event>,
): decision is { events: readonly Event[] } => 'events' in decision && decision.events.length > 0;

/** Appends the decided events. Returns the conflict if another process wrote first. */
async function append<Draft, Command extends Message, Event extends Message, Reason extends string>(
  runner: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  current: CachedStream<Draft>,
  decided: readonly Event[],
  pending: PendingCommand<Command>,
): Promise<Receipt<Event> | Conflict> {
  const { context, deadline } = pending;
  const { log, cache, schemas } = runner;
  const events = sealEvents(decided, stream, current, context, schemas);
  const sent = cache.nextTick();
  try {
    const { position } = await appendSealed(log, stream, current, events, deadline);
    cache.extend(stream, current, events, sent);
    return { revision: current.revision + events.length, events: events.map(withoutMetadata), position };
  } catch (error) {
    if (error instanceof Conflict) return conflictAt(cache, stream, current, error);
    if (isLogError(error, 'unavailable')) return receiptIfWritten(runner, stream, pending, error);
    throw error;
  }
}

/**
 * Appends the events, and expects that the stream still has the revision from which their hashes were computed.
 * @throws Conflict also if the log reports a repeated append but contains events with other hashes. Other hashes mean
 * that another process has executed the same command at this revision.
 */
export async function appendSealed<Event extends Message>(
  log: EventLog,
  stream: string,
  { revision }: { revision: number },
  events: readonly SealedEvent<Event>[],
  deadline: number,
): Promise<AppendResult> {
  const expected = revision < 0 ? 'no_stream' : BigInt(revision);
  const answer = await log.append(stream, events, { expected, deadline: appendTimeLeft(deadline) });
  const isNew =
    answer.repeated === undefined ? events.every(({ metadata }) => isRandomUuid(metadata.command)) : !answer.repeated;
  if (isNew || (await isWritten(log, stream, events.at(-1)!, deadline))) return answer;
  throw new Conflict(stream, expected, answer.revision);
}

async function isWritten(
  log: EventLog,
  stream: string,
  { revision, metadata: { hash } }: SealedEvent,
  deadline: number,
): Promise<boolean> {
  let isSame = false;
  const last = { from: BigInt(revision), maxCount: 1, deadline: readTimeLeft(deadline) };
  await forEachEvent(log, stream, last, ({ metadata }) => {
    isSame = typeof metadata === 'object' && metadata !== null && 'hash' in metadata && metadata.hash === hash;
  });
  return isSame;
}

/**
 * Removes the cached state if the stream is shorter than this state, because an older copy of the store has then
 * replaced the store.
 */
function conflictAt<Draft, Event extends Message>(
  cache: AggregateCache<Draft, Event>,
  stream: string,
  { revision }: CachedStream<Draft>,
  conflict: Conflict,
): Conflict {
  if (conflict.actual === 'no_stream' || conflict.actual < BigInt(revision)) cache.invalidate(stream);
  return conflict;
}

/**
 * Looks up the outcome of an append that got no answer.
 * @throws the original failure if the log does not contain the events
 */
async function receiptIfWritten<Draft, Command extends Message, Event extends Message, Reason extends string>(
  runner: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  pending: PendingCommand<Command>,
  failure: unknown,
): Promise<Receipt<Event>> {
  const current = await runner.cache.catchUp(stream, pending.deadline).catch(() => undefined);
  const last = current?.answered.get(pending.context.command);
  if (last === undefined) throw failure;
  return previousReceiptOf(runner, stream, pending, last);
}

export const previousReceiptOf = <Draft, Command extends Message, Event extends Message, Reason extends string>(
  { log, rules }: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  { context: { command }, deadline }: Pick<PendingCommand<Command>, 'context' | 'deadline'>,
  last: number,
) => previousReceipt(log, rules, stream, { command, last, deadline });

const repeated = <Event extends Message>(receipt: Receipt<Event>): Receipt<Event> => ({ ...receipt, repeated: true });

/**
 * Milliseconds before the next attempt: 0 after the first conflict, then a random number, so that two processes do not
 * conflict once more. The range of the random number grows with each conflict, up to 100.
 */
const pauseAfter = (conflicts: number) => (conflicts === 1 ? 0 : Math.random() * Math.min(100, 2 ** conflicts));
