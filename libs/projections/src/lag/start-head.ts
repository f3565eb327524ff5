import { EMPTY_LOG_POSITION, type EventLog, type Position, type ProjectionCheckpoint } from '@charter/event-log';
import { firstAfter } from './lag';

/**
 * Compares a read model with the head (the last position) that the log had when the process started. No event that an
 * earlier process acknowledged is after the head at the start. If the log does not answer at the start, the head in its
 * first answer counts.
 */
export function startHead(log: EventLog, streamPrefixes: readonly string[]) {
  let head: Promise<Position> | undefined;
  let isReached = false;
  let missing: Position | undefined; // the first event of the view that the read model lacked
  let comparing: Promise<boolean> | undefined;

  const atStart = () => {
    head ??= log.head().catch((error: unknown) => {
      head = undefined;
      throw error;
    });
    return head;
  };
  atStart().catch(() => undefined);

  const compare = async (checkpoint: ProjectionCheckpoint | undefined): Promise<boolean> => {
    const position = checkpoint?.position ?? EMPTY_LOG_POSITION;
    const target = await atStart();
    if (position >= target) return true;
    if (missing !== undefined && position < missing) return false;
    // compares with the view's next event, not with the head, because the checkpoint passes events of other streams
    // only while a projector runs
    const next = await firstAfter(log, streamPrefixes, position, checkpoint?.lastEvent?.position ?? EMPTY_LOG_POSITION);
    missing = next?.position;
    return missing === undefined || missing > target;
  };
  return {
    /** Once true, the result stays true. @throws LogError */
    isReachedBy: async (checkpoint: ProjectionCheckpoint | undefined): Promise<boolean> => {
      if (isReached) return true;
      comparing ??= compare(checkpoint).finally(() => (comparing = undefined));
      return (isReached = await comparing);
    },
  };
}
