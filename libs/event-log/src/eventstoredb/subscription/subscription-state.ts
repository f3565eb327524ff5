import { isLogError, LogError } from '../../errors';
import { type ProjectionCheckpoint, EMPTY_LOG_POSITION, type Position, type SubscribeOptions } from '../../port';
import type { ServerCalls } from '../calls';
import { headOf } from '../pages';
import { commitPositionOf } from '../stored-event';

/**
 * The progress of a subscription: the last event that its consumer took, and the last position that the subscription
 * reported.
 */
export type SubscriptionState = Readonly<{
  store: string;
  /**
   * The subscription resumes after this event. Without an `id`, `position` is the end of the log at the moment when the
   * subscription began.
   */
  after: Readonly<{ position: Position; id?: string | undefined }> | undefined;
  /** The position above which the subscription delivers checkpoints. */
  floor: Position;
}>;

/**
 * The state of a subscription that begins at a checkpoint: after the last event that the consumer handled, never after
 * a position without an event.
 */
export const stateFromCheckpoint = (checkpoint: ProjectionCheckpoint): SubscriptionState => ({
  store: checkpoint.store,
  after: checkpoint.lastEvent,
  floor: checkpoint.position,
});

export const stateFromEnd = (
  end: Exclude<SubscribeOptions['after'], ProjectionCheckpoint>,
  store: string,
  head: Position,
): SubscriptionState =>
  end === 'start'
    ? { store, after: undefined, floor: EMPTY_LOG_POSITION }
    : { store, after: { position: head }, floor: head };

/**
 * Checks that the server still has the store of the checkpoint and the events before the checkpoint (`event-log.md`
 * D5). If another store has replaced this store, or an older copy was restored, the subscription would otherwise skip
 * events without an error. The subscription calls this function at its start and after each lost connection.
 * @throws LogError `unknown-checkpoint`
 */
export async function validateSubscriptionState(
  calls: ServerCalls,
  { store, after, floor }: SubscriptionState,
  current: string,
): Promise<void> {
  if (store !== current) throw unknown(`comes from the store ${store}, not from ${current}`);
  const head = await headOf(calls);
  for (const position of [floor, after?.position ?? EMPTY_LOG_POSITION])
    if (!/^\d{20}$/.test(position) || position > head) throw unknown(`${position} lies beyond the end, ${head}`);
  if (after?.id === undefined || after.position === EMPTY_LOG_POSITION) return;
  if ((await idAt(calls, after.position)) !== after.id.toLowerCase())
    throw unknown(`names ${after.id}, which is not the event at ${after.position}`);
}

async function idAt(calls: ServerCalls, position: Position): Promise<string | undefined> {
  try {
    const [event] = await calls.page({ direction: 'forwards', from: BigInt(position), maxCount: 1, ms: calls.ms });
    return event && commitPositionOf(event) === position ? event.id : undefined;
  } catch (error) {
    if (isLogError(error, 'invalid-position')) return undefined;
    throw error;
  }
}

const unknown = (why: string) => new LogError('unknown-checkpoint', `The checkpoint ${why}.`);
