import { Outdated, type ParkedStream } from '../document-store';
import { LogError } from '@charter/event-log';
import { Poisoned } from '../rebuild/edition-builder';
import type { ProjectionCheckpoint } from '@charter/event-log';

export type ProjectionPhase =
  | 'starting'
  | 'running'
  | 'rebuilding' // the live documents are of an older version
  | 'waiting' // somebody else holds the lease
  | 'paused' // by an operator, in whichever process
  | 'backing-off' // the log or the documents do not answer
  | 'rebuild-needed' // the checkpoint does not belong to this log
  | 'outdated' // the documents were made by newer code
  | 'failed'
  | 'stopped';

/** Where a projection stands. */
export type ProjectionState = Readonly<{
  phase: ProjectionPhase;
  why: string | undefined;
  checkpoint: ProjectionCheckpoint | undefined;
  parked: ReadonlyMap<string, ParkedStream>;
  /** Whether the end of the log was reached since the subscription began; `lagSeconds` says how it is now. */
  caughtUp: boolean;
  /** When the checkpoint was last seen to move; milliseconds since 1970. */
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

/** While the documents are of another log or of other code, nobody is told what they say. */
export const isUntrusted = (phase: ProjectionPhase): boolean => untrusted.has(phase);
const untrusted: ReadonlySet<ProjectionPhase> = new Set<ProjectionPhase>(['rebuild-needed', 'outdated', 'failed']);

/** What no waiting mends, and how it is called. */
export function permanentFailurePhase(why: unknown): ProjectionPhase | undefined {
  if (why instanceof Outdated) return 'outdated';
  if (why instanceof Poisoned) return 'failed';
  if (!(why instanceof LogError)) return undefined;
  if (why.kind === 'unknown-checkpoint') return 'rebuild-needed';
  return ['denied', 'deleted', 'closed'].includes(why.kind) ? 'failed' : undefined;
}
