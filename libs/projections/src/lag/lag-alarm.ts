import { type ProjectionState, isUntrusted } from '../projector/projection-state';
import { type Lag, lagMonitor } from './lag';
import { type EventLog, EMPTY_LOG_POSITION } from '@charter/event-log';

/** From how many seconds on a read model is late (`acceptance.md` O11). */
export const LATE_SECONDS = 30;

type LateOptions = Readonly<{ now: () => number; onLate?: ((isLate: boolean, lag: Lag) => void) | undefined }>;

/** A log that has told nothing for so long is away; it is asked twice a second. */
const SILENCE_SECONDS = 2;

/** The lag of documents that nobody believes is that of documents that were never made. */
export function lagAlarm(
  log: EventLog,
  prefixes: readonly string[],
  course: () => ProjectionState,
  { now, onLate = () => undefined }: LateOptions,
) {
  const lag = lagMonitor(log, prefixes);
  const believed = () => (isUntrusted(course().phase) ? undefined : course().checkpoint);
  let heardAt = performance.now();
  /** While the log tells nothing, what is answered is as old as its last word (`acceptance.md` 1). */
  const present = (): Lag => {
    const told = lag.at(believed()?.position ?? EMPTY_LOG_POSITION, now());
    const silence = (performance.now() - heardAt) / 1000;
    return silence < SILENCE_SECONDS ? told : { events: undefined, seconds: Math.max(told.seconds, silence) };
  };
  let looking = false;
  let isLate = false;
  let mayChange = false;
  const look = async () => {
    if (looking || course().phase === 'starting') return; // where it stands is not known yet
    looking = true;
    await lag.look(believed()).then(
      () => (heardAt = performance.now()),
      () => undefined,
    );
    looking = false;
    const changes = present().seconds > LATE_SECONDS !== isLate;
    if (changes && mayChange) onLate((isLate = !isLate), present());
    mayChange = changes; // twice in a row: new tables are far behind until they have begun
  };
  const timer = setInterval(() => void look(), 500).unref();
  return { now: present, stop: () => clearInterval(timer) };
}
