import { type ProjectionState, isUntrusted } from '../projector/projection-state';
import { type Lag, lagMonitor } from './lag';
import { type EventLog, EMPTY_LOG_POSITION } from '@charter/event-log';

/** Above this lag in seconds, a read model counts as late (`acceptance.md` O11). */
export const LATE_SECONDS = 30;

type LateOptions = Readonly<{ now: () => number; onLate?: ((isLate: boolean, lag: Lag) => void) | undefined }>;

/**
 * If the log does not answer for this many seconds, the log counts as unreachable. The alarm queries the log twice a
 * second.
 */
const SILENCE_SECONDS = 2;

/** Measures the lag twice a second. If the checkpoint was refused, the result is the lag of an empty read model. */
export function lagAlarm(
  log: EventLog,
  prefixes: readonly string[],
  state: () => ProjectionState,
  { now, onLate = () => undefined }: LateOptions,
) {
  const lag = lagMonitor(log, prefixes);
  const validCheckpoint = () => (isUntrusted(state().phase) ? undefined : state().checkpoint);
  let answeredAt = performance.now();
  /** While the log does not answer, the lag is at least the time since the log's last answer (`acceptance.md` 1). */
  const current = (): Lag => {
    const measured = lag.at(validCheckpoint()?.position ?? EMPTY_LOG_POSITION, now());
    const silence = (performance.now() - answeredAt) / 1000;
    return silence < SILENCE_SECONDS ? measured : { events: undefined, seconds: Math.max(measured.seconds, silence) };
  };
  let measuring = false;
  let isLate = false;
  let mayChange = false;
  const measure = async () => {
    if (measuring || state().phase === 'starting') return; // the checkpoint is not known yet
    measuring = true;
    await lag.measure(validCheckpoint()).then(
      () => (answeredAt = performance.now()),
      () => undefined,
    );
    measuring = false;
    const changes = current().seconds > LATE_SECONDS !== isLate;
    if (changes && mayChange) onLate((isLate = !isLate), current());
    mayChange = changes; // the change must last for two measurements, because new tables have a large lag for a moment
  };
  const timer = setInterval(() => void measure(), 500).unref();
  return { now: current, stop: () => clearInterval(timer) };
}
