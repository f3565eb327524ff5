import {
  isUntrusted,
  LATE_SECONDS,
  type ParkedStream,
  type Projection,
  type ProjectionPhase,
} from '@charter/projections';

/** The number of streams that the health answer names; `charter projections status` lists all. */
const PARKED_SHOWN_MAX = 10;

/** Milliseconds after the start in which the read model gets to the head of the start before the check says why not. */
const START_MS = 30_000;

/**
 * The check of the projection for `/health/ready`. After the start it fails until the read model has reached the head
 * that the log had then. Afterwards it fails only if the lag is high, the checkpoint has not moved for as long
 * (`event-log.md` D6), and the projection is not paused. The answer names events by position, never by organization,
 * because it is public.
 */
export function projectionCheck(projection: Projection, now: () => number) {
  const startedAt = now();

  return async () => {
    const hasReachedStart = await projection.hasReachedStart().catch(() => false);
    const { phase, lagSeconds, lagEvents, movedAt, parked, ...state } = projection.now();
    const isLate = lagSeconds > LATE_SECONDS;
    const isStuck = isLate && phase !== 'paused' && now() - (movedAt ?? 0) > LATE_SECONDS * 1000;
    const isBroken = isUntrusted(phase);
    const isOverdue = !hasReachedStart && now() - startedAt >= START_MS;
    const why = isBroken ? state.why : isOverdue ? whyBehind(projection.name, phase) : undefined;
    return {
      ok: !isStuck && !isBroken && hasReachedStart,
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
  `The view ${view} lacks events that the log held when this process started. ${advice[phase] ?? 'It is catching up.'}`;

const advice: Partial<Record<ProjectionPhase, string>> = {
  paused: 'Its projection is paused: charter projections resume',
  waiting: 'Another process must project it: charter projections status',
  'backing-off': 'The event log or the tables do not answer.',
};

const placeOf = ({ type, position, revision, since, attempts }: ParkedStream) => ({
  type,
  position,
  revision,
  since,
  attempts,
});
