import { LogError } from '@charter/event-log';
import type { ProjectionCheckpoint, EventLog } from '@charter/event-log';

/**
 * Checks that a projection checkpoint belongs to this log (`event-log.md` D5). The check fails if the checkpoint names
 * another store, a position beyond the end, or an event that is not at its position. A failed check means that another
 * store has replaced this store, or that an older copy was restored. Without the check, the projection would skip
 * events without an error.
 * @throws LogError `unknown-checkpoint`
 */
export async function validateCheckpoint(log: EventLog, checkpoint: ProjectionCheckpoint | undefined): Promise<void> {
  if (!checkpoint) return;
  const { store, position, lastEvent } = checkpoint;
  if (store !== (await log.identity())) throw unknown('belongs to another event store');
  if (position > (await log.head())) throw unknown('lies beyond the end of the event log');
  if (lastEvent && !(await hasEvent(log, lastEvent))) throw unknown('names an event that is not in the event log');
}

/**
 * After a successful check, further calls for the same edition check nothing for two seconds. Later calls check again,
 * because an operator may replace the store at any time.
 */
export function checkpointValidator(log: EventLog) {
  let valid: Readonly<{ edition: number | undefined; at: number }> | undefined;
  return {
    hold: async (edition: number | undefined, checkpoint: ProjectionCheckpoint | undefined): Promise<void> => {
      if (valid && valid.edition === edition && performance.now() - valid.at < VALID_MS) return;
      await validateCheckpoint(log, checkpoint);
      valid = { edition, at: performance.now() };
    },
  };
}
const VALID_MS = 2_000;

async function hasEvent(
  log: EventLog,
  { position, id }: NonNullable<ProjectionCheckpoint['lastEvent']>,
): Promise<boolean> {
  try {
    for await (const event of log.readAll({ from: position, maxCount: 1 }))
      return event.position === position && event.id === id;
    return false;
  } catch (error) {
    if (error instanceof LogError && error.kind === 'invalid-position') return false;
    throw error;
  }
}

const unknown = (reason: string) => new LogError('unknown-checkpoint', `The read model's checkpoint ${reason}.`);

/** The message for a refused checkpoint: the reason, and the operator's next step. */
export const rebuildNeededMessage = ({ message }: Error): string =>
  `${message} The read model must be rebuilt: charter projections rebuild`;
