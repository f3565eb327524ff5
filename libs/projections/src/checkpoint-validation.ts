import { LogError } from '@charter/event-log';
import type { ProjectionCheckpoint, EventLog } from '@charter/event-log';

/**
 * Whether a checkpoint belongs to this log (`event-log.md` D5): another store, a position beyond the end, or another
 * event at its place mean that the store was exchanged or restored, and that events would be skipped in silence.
 * @throws LogError `unknown-checkpoint`
 */
export async function validateCheckpoint(log: EventLog, checkpoint: ProjectionCheckpoint | undefined): Promise<void> {
  if (!checkpoint) return;
  const { store, position, lastEvent } = checkpoint;
  if (store !== (await log.identity())) throw unknown('belongs to another event store');
  if (position > (await log.head())) throw unknown('lies beyond the end of the event log');
  if (lastEvent && !(await hasEvent(log, lastEvent))) throw unknown('names an event that is not in the event log');
}

/** Belief, asked again when another edition answers, and every few seconds: the log may be exchanged at any time. */
export function checkpointValidator(log: EventLog) {
  let held: Readonly<{ edition: number | undefined; at: number }> | undefined;
  return {
    hold: async (edition: number | undefined, checkpoint: ProjectionCheckpoint | undefined): Promise<void> => {
      if (held && held.edition === edition && performance.now() - held.at < HOLDS_MS) return;
      await validateCheckpoint(log, checkpoint);
      held = { edition, at: performance.now() };
    },
  };
}
const HOLDS_MS = 2_000;

async function hasEvent(
  log: EventLog,
  { position, id }: NonNullable<ProjectionCheckpoint['lastEvent']>,
): Promise<boolean> {
  try {
    for await (const event of log.readAll({ from: position, maxCount: 1 }))
      return event.position === position && event.id === id;
    return false;
  } catch (why) {
    if (why instanceof LogError && why.kind === 'invalid-position') return false;
    throw why;
  }
}

const unknown = (why: string) => new LogError('unknown-checkpoint', `The read model's checkpoint ${why}.`);

/** Why a checkpoint is not believed, whoever found it out, and what an operator has to do. */
export const rebuildNeededMessage = ({ message }: Error): string =>
  `${message} It must be rebuilt: charter projections rebuild`;
