import type { Message } from '@charter/decider';
import { sealEvents, type SealedEvent } from '@charter/integrity';
import { withoutMetadata } from './previous-receipt';
import { isLogError } from '@charter/event-log';
import type { Receipt } from './receipts';
import { advance, type CachedStream, withCopiedData } from './aggregate-cache';
import { appendSealed, type CommandRunner, isAccepted, previousReceiptOf, executeCommand } from './execute';
import { type PendingCommand, decideCommands } from './decide-commands';

/** A telling that waits for its turn, and what became of it if somebody before it took it along. */
export type QueuedCommand<Command extends Message, Event extends Message> = {
  readonly pending: PendingCommand<Command>;
  settled?: Readonly<{ receipt: Receipt<Event> }> | Readonly<{ failure: unknown }>;
  /** Goes by itself: in company it failed, and nobody knows whose fault that was. */
  isAlone?: boolean;
};

/** A telling that will happen, if the append goes through. */
type Share<Command extends Message, Event extends Message> = Readonly<{
  place: QueuedCommand<Command, Event>;
  events: readonly SealedEvent<Event>[];
}>;

const SHARES_MAX = 64;
const EVENTS_MAX = 512;

/**
 * One durable append costs the same for one command as for many: whoever has their turn takes along those who wait behind
 * them. Each is judged after the ones before it, and each has a receipt, ids and metadata of its own. Only what is a plain
 * yes goes together; the rest is told in its own turn.
 */
export async function executeBatched<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  place: QueuedCommand<Command, Event>,
  behind: () => QueuedCommand<Command, Event>[],
): Promise<Receipt<Event>> {
  if (!place.settled && !place.isAlone) await tellTogether(desk, stream, [place, ...behind()]);
  if (!place.settled) return executeCommand(desk, stream, place.pending);
  if ('failure' in place.settled) throw place.settled.failure;
  return place.settled.receipt;
}

/** Settles those who can share an append. Whatever goes wrong, nobody is worse off than alone. */
async function tellTogether<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  places: readonly QueuedCommand<Command, Event>[],
): Promise<void> {
  const company = places.filter(({ settled, isAlone }) => !settled && !isAlone).slice(0, SHARES_MAX);
  const present = desk.memory.get(stream);
  if (!present || !isWorthACopy(present, company.length)) return;
  try {
    const { shares, end } = sharesOf(desk, stream, present, company);
    if (shares.length > 1) await appendShares(desk, stream, present, shares, end, places[0]!.pending.deadline);
  } catch (error) {
    const isConflict = isLogError(error, 'conflict'); // then the next one may try it in company again
    for (const place of company) place.isAlone = !isConflict;
  }
}

/** A copy of the state must cost less than the appends that it saves. It grows with the stream, more or less. */
const isWorthACopy = ({ revision }: CachedStream<unknown>, count: number) => revision < 256 * (count - 1);

/** Who gets a yes, one after the other, and where the stream stands afterwards. The present is not touched. */
function sharesOf<Draft, Command extends Message, Event extends Message, Reason extends string>(
  { decider, reading, schemas }: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  present: CachedStream<Draft>,
  places: readonly QueuedCommand<Command, Event>[],
): { shares: readonly Share<Command, Event>[]; end: CachedStream<Draft> } {
  const shares: Share<Command, Event>[] = [];
  let end: CachedStream<Draft> = { ...present, state: structuredClone(present.state), answered: new Map() };
  for (const place of places) {
    const { context } = place.pending;
    if (present.answered.has(context.command) || end.answered.has(context.command)) continue;
    const verdict = decideCommands(decider, end, place.pending);
    if (!isAccepted(verdict)) continue;
    if (end.revision - present.revision + verdict.events.length > EVENTS_MAX) break;
    const events = sealEvents(verdict.events, stream, end, context, schemas);
    shares.push({ place, events });
    end = advance(reading, end, events.map(withCopiedData), present.seen);
  }
  return { shares, end };
}

async function appendShares<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  present: CachedStream<Draft>,
  shares: readonly Share<Command, Event>[],
  end: CachedStream<Draft>,
  until: number,
): Promise<void> {
  const { log, memory } = desk;
  const sent = memory.tick();
  try {
    const { position } = await appendSealed(
      log,
      stream,
      present,
      shares.flatMap(({ events }) => events),
      until,
    );
    for (const [command, last] of end.answered) present.answered.set(command, last);
    memory.keep(stream, { ...end, answered: present.answered, seen: sent });
    for (const { place, events } of shares) {
      place.settled = { receipt: { revision: events.at(-1)!.revision, events: events.map(withoutMetadata), position } };
    }
  } catch (error) {
    if (!isLogError(error, 'unavailable')) throw error;
    await settleUnknown(desk, stream, shares, until, error);
  }
}

/** An append without an answer: it is in with all of its shares, or with none. */
async function settleUnknown<Draft, Command extends Message, Event extends Message, Reason extends string>(
  desk: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  shares: readonly Share<Command, Event>[],
  until: number,
  failure: unknown,
): Promise<void> {
  const present = await desk.memory.catchUp(stream, until).catch(() => undefined);
  for (const { place } of shares) {
    const { context } = place.pending;
    const last = present?.answered.get(context.command);
    if (last === undefined) place.settled = { failure };
    else place.settled = { receipt: await previousReceiptOf(desk, stream, context, last) };
  }
}
