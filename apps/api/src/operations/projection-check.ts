import {
  isUntrusted,
  LATE_SECONDS,
  type ParkedStream,
  type Projection,
  type ProjectionPhase,
} from '@charter/projections';

/** The maximum number of parked streams in the health answer; `charter projections status` lists all parked streams. */
const PARKED_SHOWN_MAX = 10;

/**
 * The number of milliseconds for which a process that does not project waits for the events from before its start. A
 * process that builds the read model for its version answers from the previous read model, and waits for the same time.
 * After `START_MS`, the check says why the read model lacks events from before the start.
 */
const START_MS = 30_000;

/**
 * The check of the projection for `/health/ready`. After the start, the check fails until the read model contains all
 * events from before the start. A process that does not project, or that builds the read model for its version, waits
 * at most `START_MS`. Later, the check fails only if this process projects, the projection lags, and the projection's
 * checkpoint does not move (`event-log.md` D6). The answer names events by position, never by organization, because the
 * answer is public.
 */
export function projectionCheck(projection: Projection, elapsed: () => number) {
  const startedAt = elapsed();
  let hasWaited = false;
  let busyAt = startedAt; // the time of the last check while this process projected events
  let idleAt = -Infinity; // the time of the last check while this process projected no events into the live read model

  return async () => {
    const hasReachedStart = await projection.hasReachedStart().catch(() => false);
    const { phase, lagSeconds, lagEvents, movedAt, parked, ...state } = projection.now();
    const isLate = lagSeconds > LATE_SECONDS;
    const isIdle = phase === 'paused' || phase === 'waiting' || phase === 'rebuilding';
    if (isIdle) idleAt = elapsed();
    else busyAt = elapsed();
    const isStuck = isLate && elapsed() - Math.max(movedAt ?? -Infinity, idleAt) > LATE_SECONDS * 1000;
    const isBroken = isUntrusted(phase);
    const isOverdue = !hasReachedStart && elapsed() - startedAt >= START_MS;
    hasWaited ||= hasReachedStart || elapsed() - busyAt >= START_MS;
    const why = isBroken ? state.why : isOverdue ? whyBehind(projection.name, phase) : undefined;
    return {
      ok: !isStuck && !isBroken && hasWaited,
      phase,
      ...(why !== undefined && { why }),
      ...(!hasReachedStart && { behind: projection.name }),
      ...{ lagSeconds, lagEvents: lagEvents ?? null, isLate },
      parked: parked.size,
      parkedAt: [...parked.values()].slice(0, PARKED_SHOWN_MAX).map(placeOf),
    };
  };
}

const whyBehind = (view: string, phase: ProjectionPhase): string =>
  `The view ${view} lacks events that the log contained when this process started. ${advice[phase] ?? 'The projection is catching up.'}`;

const advice: Partial<Record<ProjectionPhase, string>> = {
  paused: 'Its projection is paused: charter projections resume',
  waiting: 'Another process must project it: charter projections status',
  rebuilding:
    'Charter builds this view for its version, and answers from the previous view: charter projections status',
  'backing-off': 'The event log or the tables do not answer.',
};

const placeOf = ({ type, position, revision, since, attempts }: ParkedStream) => ({
  type,
  position,
  revision,
  since,
  attempts,
});
