import { type Message, deepCopy } from '@charter/decider';
import { sealEvents, type SealedEvent } from '@charter/integrity';
import { withoutMetadata } from './previous-receipt';
import { isLogError } from '@charter/event-log';
import type { Receipt } from './receipts';
import { advance, type CachedStream, withCopiedData } from './aggregate-cache';
import { appendSealed, type CommandRunner, isAccepted, previousReceiptOf, executeCommand } from './execute';
import { type PendingCommand, decideCommands } from './decide-commands';

/**
 * A command in a stream's queue. After a shared append has executed the command, `settled` contains the command's
 * outcome.
 */
export type QueuedCommand<Command extends Message, Event extends Message> = {
  readonly pending: PendingCommand<Command>;
  settled?: Readonly<{ receipt: Receipt<Event> }> | Readonly<{ failure: unknown }>;
  /**
   * The command must be executed alone, because one of the commands made the shared append fail, and Charter does not
   * know which command.
   */
  isAlone?: boolean;
};

/** One command's events in a shared append. */
type Share<Command extends Message, Event extends Message> = Readonly<{
  queued: QueuedCommand<Command, Event>;
  events: readonly SealedEvent<Event>[];
}>;

const SHARES_MAX = 64;
const EVENTS_MAX = 512;

/**
 * Executes a command and the commands behind it in the queue in one append. A durable append costs about as much for
 * many commands as for one command. Each command is decided on the state that the earlier commands produce. Each
 * command has a separate receipt, separate event ids and separate metadata. Only commands that the rules accept share
 * an append. All other commands keep their place in the queue and are executed later.
 */
export async function executeBatched<Draft, Command extends Message, Event extends Message, Reason extends string>(
  runner: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  queued: QueuedCommand<Command, Event>,
  behind: () => QueuedCommand<Command, Event>[],
): Promise<Receipt<Event>> {
  if (!queued.settled && !queued.isAlone) await executeTogether(runner, stream, [queued, ...behind()]);
  if (!queued.settled) return executeCommand(runner, stream, queued.pending);
  if ('failure' in queued.settled) throw queued.settled.failure;
  return queued.settled.receipt;
}

/**
 * Executes the commands that can share an append. Each command is later executed alone if a decision throws an error,
 * or if the log refuses the shared append for another reason than a conflict.
 */
async function executeTogether<Draft, Command extends Message, Event extends Message, Reason extends string>(
  runner: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  batch: readonly QueuedCommand<Command, Event>[],
): Promise<void> {
  const candidates = batch.filter(({ settled, isAlone }) => !settled && !isAlone).slice(0, SHARES_MAX);
  const current = runner.cache.get(stream);
  if (!current || !isWorthACopy(current, candidates.length)) return;
  try {
    const { shares, end } = sharesOf(runner, stream, current, candidates);
    if (shares.length > 1) await appendShares(runner, stream, current, shares, end, batch[0]!.pending.deadline);
  } catch (error) {
    const isConflict = isLogError(error, 'conflict'); // after a conflict, the commands may share the next append
    for (const queued of candidates) queued.isAlone = !isConflict;
  }
}

/**
 * Whether a shared append saves more time than the copy of the state costs. The revision is a rough measure of the
 * state's size.
 */
const isWorthACopy = ({ revision }: CachedStream<unknown>, count: number) => revision < 256 * (count - 1);

/**
 * Decides the commands of a batch on a copy of the state. Returns the accepted commands with their events, and the
 * state that these events produce.
 */
function sharesOf<Draft, Command extends Message, Event extends Message, Reason extends string>(
  { decider, rules, schemas }: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  current: CachedStream<Draft>,
  batch: readonly QueuedCommand<Command, Event>[],
): { shares: readonly Share<Command, Event>[]; end: CachedStream<Draft> } {
  const shares: Share<Command, Event>[] = [];
  let end: CachedStream<Draft> = { ...current, state: deepCopy(current.state), answered: new Map() };
  for (const queued of batch) {
    const { context } = queued.pending;
    if (current.answered.has(context.command) || end.answered.has(context.command)) continue;
    const decision = decideCommands(decider, end, queued.pending);
    if (!isAccepted(decision)) continue;
    if (end.revision - current.revision + decision.events.length > EVENTS_MAX) break;
    const events = sealEvents(decision.events, stream, end, context, schemas);
    shares.push({ queued, events });
    end = advance(rules, end, events.map(withCopiedData), current.tick);
  }
  return { shares, end };
}

async function appendShares<Draft, Command extends Message, Event extends Message, Reason extends string>(
  runner: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  current: CachedStream<Draft>,
  shares: readonly Share<Command, Event>[],
  end: CachedStream<Draft>,
  deadline: number,
): Promise<void> {
  const { log, cache } = runner;
  const sent = cache.nextTick();
  try {
    const { position } = await appendSealed(
      log,
      stream,
      current,
      shares.flatMap(({ events }) => events),
      deadline,
    );
    for (const [command, last] of end.answered) current.answered.set(command, last);
    cache.replace(stream, { ...end, answered: current.answered, tick: sent });
    for (const { queued, events } of shares) {
      queued.settled = {
        receipt: { revision: events.at(-1)!.revision, events: events.map(withoutMetadata), position },
      };
    }
  } catch (error) {
    if (!isLogError(error, 'unavailable')) throw error;
    await settleUnknown(runner, stream, shares, deadline, error);
  }
}

/**
 * Finds the outcome of a shared append that got no answer. The log contains either all events of the append or none.
 */
async function settleUnknown<Draft, Command extends Message, Event extends Message, Reason extends string>(
  runner: CommandRunner<Draft, Command, Event, Reason>,
  stream: string,
  shares: readonly Share<Command, Event>[],
  deadline: number,
  failure: unknown,
): Promise<void> {
  const current = await runner.cache.catchUp(stream, deadline).catch(() => undefined);
  for (const { queued } of shares) {
    const { context } = queued.pending;
    const last = current?.answered.get(context.command);
    if (last === undefined) queued.settled = { failure };
    else queued.settled = { receipt: await previousReceiptOf(runner, stream, { context, deadline }, last) };
  }
}
