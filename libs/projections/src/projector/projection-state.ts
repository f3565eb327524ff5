import { Outdated, type ParkedStream } from '../document-store';
import { LogError } from '@charter/event-log';
import { Poisoned } from '../rebuild/edition-builder';
import type { ProjectionCheckpoint } from '@charter/event-log';

export type ProjectionPhase =
  | 'starting'
  | 'running'
  | 'rebuilding' // the live documents are of an older version
  | 'waiting' // another process holds the lease
  | 'paused' // by an operator
  | 'backing-off' // the log or the documents do not answer
  | 'rebuild-needed' // the checkpoint does not belong to this log
  | 'outdated' // the documents were made by newer code
  | 'failed'
  | 'stopped';

/** The state of a projection. */
export type ProjectionState = Readonly<{
  phase: ProjectionPhase;
  why: string | undefined;
  checkpoint: ProjectionCheckpoint | undefined;
  parked: ReadonlyMap<string, ParkedStream>;
  /**
   * True after the subscription has reached the end of the log for the first time. `lagSeconds` shows the current lag.
   */
  caughtUp: boolean;
  /** The time at which the checkpoint last moved, by the clock `elapsed` of the projection. */
  movedAt: number | undefined;
}>;

export const startingState: ProjectionState = {
  phase: 'starting',
  why: undefined,
  checkpoint: undefined,
  parked: new Map(),
  caughtUp: false,
  movedAt: undefined,
};

/**
 * Whether Charter must not answer with the documents. The documents come from another log or from newer code, or a
 * failure that no retry can end has stopped the projection.
 */
export const isUntrusted = (phase: ProjectionPhase): boolean => untrusted.has(phase);
const untrusted: ReadonlySet<ProjectionPhase> = new Set<ProjectionPhase>(['rebuild-needed', 'outdated', 'failed']);

/** The phase for a failure that no retry can end; `undefined` for a temporary failure. */
export function permanentFailurePhase(why: unknown): ProjectionPhase | undefined {
  if (why instanceof Outdated) return 'outdated';
  if (why instanceof Poisoned) return 'failed';
  if (!(why instanceof LogError)) return undefined;
  if (why.kind === 'unknown-checkpoint') return 'rebuild-needed';
  return ['denied', 'deleted', 'closed'].includes(why.kind) ? 'failed' : undefined;
}
