import {
  isUntrusted,
  LATE_SECONDS,
  type ParkedStream,
  type Projection,
  type ProjectionPhase,
} from '@charter/projections';

/** The number of streams that the health answer names; `charter projections status` lists all. */
const PARKED_SHOWN_MAX = 10;

/**
 * The number of milliseconds after the start before the check explains why the read model does not contain all earlier
 * events.
 */
const START_MS = 30_000;

/**
 * The check of the projection for `/health/ready`. After the start, the check fails until the read model contains all
 * events from before the start. Later, the check fails only if the projection is stuck: it lags, is not paused, and its
 * checkpoint does not move (`event-log.md` D6). The answer names events by position, never by organization, because the
 * answer is public.
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
  `The view ${view} lacks events that the log held when this process started. ${advice[phase] ?? 'The projection is catching up.'}`;

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
