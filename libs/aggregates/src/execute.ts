import { setTimeout as sleep } from 'node:timers/promises';
import type { Decider, Message } from '@charter/decider';
import { seal, type Sealed } from '@charter/integrity';
import { bare, earlierReceipt } from './previous-receipt';
import type { Envelope } from '@charter/event-log';
import { Conflict, isLogError } from '@charter/event-log';
import { isRandom } from '@charter/event-log';
import type { Receipt } from './receipts';
import { each, type Reading } from './replay';
import { timeToAppend } from './deadline';
import type { Appended, EventLog } from '@charter/event-log';
import type { Present, Remembered } from './aggregate-cache';
import { type Telling, type Verdict, verdictOn } from './judge';

/** What telling works on. */
export type Desk<Draft, Command extends Message, Event extends Message, Reason extends string> = Readonly<{
  log: EventLog;
  decider: Decider<Draft, Command, Event, Reason>;
  reading: Reading<Draft, Event>;
  memory: Remembered<Draft, Event>;
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
export async function tell<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: Desk<Draft, Command, Event, Reason>,
  stream: string,
  telling: Telling<Command>,
): Promise<Receipt<Event>> {
  const { memory, decider } = desk;
  const { by, asked, until } = telling;
  let present = memory.get(stream) ?? (await memory.catchUp(stream, until));
  for (let conflicts = 0; ;) {
    const before = present.answered.get(by.command);
    if (before !== undefined) return repeated(await receiptFrom(desk, stream, by, before));

    const verdict = verdictOn(decider, present, telling);
    if (isYes(verdict)) {
      const outcome = await append(desk, stream, present, verdict.events, telling);
      if (!(outcome instanceof Conflict)) return outcome;
      conflicts += 1;
      if (conflicts === ATTEMPTS_MAX) throw outcome;
      await sleep(pauseAfter(conflicts));
    } else if (present.seen > asked) {
      if ('no' in verdict) throw verdict.no();
      return { revision: present.revision, events: [] };
    }
    present = await memory.catchUp(stream, until);
  }
}

export const isYes = <Event extends Message>(verdict: Verdict<Event>): verdict is { events: readonly Event[] } =>
  'events' in verdict && verdict.events.length > 0;

/** The receipt; or the conflict, if somebody else was faster. */
async function append<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: Desk<Draft, Command, Event, Reason>,
  stream: string,
  present: Present<Draft>,
  decided: readonly Event[],
  { by, until }: Telling<Command>,
): Promise<Receipt<Event> | Conflict> {
  const { log, memory, schemas } = desk;
  const events = seal(decided, stream, present, by, schemas);
  const sent = memory.tick();
  try {
    const { position } = await appendSealed(log, stream, present, events, until);
    memory.grow(stream, present, events, sent);
    return { revision: present.revision + events.length, events: events.map(bare), position };
  } catch (error) {
    if (error instanceof Conflict) return conflictAt(memory, stream, present, error);
    if (isLogError(error, 'unavailable')) return receiptIfWritten(desk, stream, by, until, error);
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
  events: readonly Sealed<Event>[],
  until: number,
): Promise<Appended> {
  const expected = revision < 0 ? 'no_stream' : BigInt(revision);
  const answer = await log.append(stream, events, { expected, deadline: timeToAppend(until) });
  const isNew =
    answer.repeated === undefined ? events.every(({ metadata }) => isRandom(metadata.command)) : !answer.repeated;
  if (isNew || (await isWritten(log, stream, events.at(-1)!))) return answer;
  throw new Conflict(stream, expected, answer.revision);
}

async function isWritten(log: EventLog, stream: string, { revision, metadata: { hash } }: Sealed): Promise<boolean> {
  let isSame = false;
  await each(log, stream, { from: BigInt(revision), maxCount: 1 }, ({ metadata }) => {
    isSame = typeof metadata === 'object' && metadata !== null && 'hash' in metadata && metadata.hash === hash;
  });
  return isSame;
}

/** A stream that ends before what is remembered of it is another one: an older store was put in the place of this one. */
function conflictAt<Draft, Event extends Message>(
  memory: Remembered<Draft, Event>,
  stream: string,
  { revision }: Present<Draft>,
  conflict: Conflict,
): Conflict {
  if (conflict.actual === 'no_stream' || conflict.actual < BigInt(revision)) memory.forget(stream);
  return conflict;
}

/** An append without an answer: it is in, or it was never seen. @throws the failure, as long as it is not in */
async function receiptIfWritten<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: Desk<Draft, Command, Event, Reason>,
  stream: string,
  by: Envelope,
  until: number,
  failure: unknown,
): Promise<Receipt<Event>> {
  const present = await desk.memory.catchUp(stream, until).catch(() => undefined);
  const last = present?.answered.get(by.command);
  if (last === undefined) throw failure;
  return receiptFrom(desk, stream, by, last);
}

export const receiptFrom = <Draft, Command extends Message, Event extends Message, Reason extends string>(
  { log, reading }: Desk<Draft, Command, Event, Reason>,
  stream: string,
  { command }: Envelope,
  last: number,
) => earlierReceipt(log, reading, stream, command, last);

const repeated = <Event extends Message>(receipt: Receipt<Event>): Receipt<Event> => ({ ...receipt, repeated: true });

/** Milliseconds: soon at first, later and at random the longer it goes on, so that two rivals get out of step. */
const pauseAfter = (conflicts: number) => (conflicts === 1 ? 0 : Math.random() * Math.min(100, 2 ** conflicts));
