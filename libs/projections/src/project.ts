import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@charter/decider';
import { checkpointValidator, rebuildNeededMessage } from './checkpoint-validation';
import {
  type ProjectionState,
  permanentFailurePhase,
  type ProjectionPhase,
  startingState,
} from './projector/projection-state';
import { RebuildInProgress, type DocumentStore, type Edition, type Lease, Overtaken } from './document-store';
import { runProjector } from './projector/run-projector';
import { lagAlarm } from './lag/lag-alarm';
import { startHead } from './lag/start-head';
import { type EventLog, EMPTY_LOG_POSITION, type Position } from '@charter/event-log';
import { positionWaiter } from './lag/position-waiter';
import { rebuild } from './rebuild/rebuild';
import type { View } from './view';
import type { ProjectionOptions } from './projector/projection-options';

/**
 * A running projection, which keeps the documents of a view up to date. A process can stop at any point: the next
 * projection continues at the stored checkpoint.
 */
export type Projection = Readonly<{
  name: string;
  version: number;
  /**
   * Returns the phase with its reason, the checkpoint, the parked streams, and the lag, which is at most a second old.
   */
  now(): ProjectionState & Readonly<{ position: Position; lagSeconds: number; lagEvents: number | undefined }>;
  /** Resolves when the documents contain all events up to a position. @throws PositionNotReached after `timeout` ms */
  whenProcessed(position: Position, options: { timeout: number }): Promise<void>;
  /** Whether the documents contain every event that the log had at the start of this process. @throws LogError */
  hasReachedStart(): Promise<boolean>;
  /** Ends the projection after the current batch. Does not release the lease. */
  stop(): Promise<void>;
}>;

/** Starts to fold the log into the store. Never throws: `now()`, `alarm` and `onTrouble` report failures. */
export function project<Draft, Event extends Message>(
  log: EventLog,
  store: DocumentStore<Draft>,
  view: View<Draft, Event>,
  options: ProjectionOptions,
): Projection {
  const { lease = always, now = Date.now, elapsed = monotonic, onTrouble = () => undefined } = options;
  const stopping = new AbortController();
  const waiters = positionWaiter();
  const validator = checkpointValidator(log);
  let state = startingState;
  let failures = 0;

  const position = () => state.checkpoint?.position ?? EMPTY_LOG_POSITION;
  const update = (change: Partial<ProjectionState>) => {
    const moved = change.checkpoint !== undefined && change.checkpoint.position !== state.checkpoint?.position;
    state = { ...state, ...change, ...(moved && { movedAt: elapsed() }) };
    if (change.checkpoint) waiters.reached(change.checkpoint.position);
    if (moved || change.movedAt !== undefined) failures = 0;
  };
  const rest = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  /**
   * While another process runs the projector, reads the checkpoint that the other process has stored. Rejects a
   * checkpoint that belongs to another log.
   */
  const follow = async () => {
    const live = await store.live();
    const status = await live?.status();
    await validator.hold(live?.id, status?.checkpoint);
    const { checkpoint, parked, paused } = status ?? {};
    const phase = paused ? 'paused' : 'waiting';
    update({ phase, why: undefined, caughtUp: false, ...(parked && { checkpoint, parked }) });
    await rest(waiters.hasWaiting() ? 20 : 100);
  };
  const liveEdition = async (): Promise<Edition<Draft>> => {
    const live = await store.live();
    if (live?.version === view.version) return live;
    if (!live)
      await store.activate(await store.begin({ takeOver: true })); // an empty edition, which other processes can read
    else {
      update({ phase: 'rebuilding', why: `from version ${live.version} to ${view.version}` });
      await rebuild(log, store, view, { signal: stopping.signal, onHeartbeat: lease.hold });
    }
    return liveEdition();
  };
  const work = async () => {
    const edition = await liveEdition();
    await runProjector({
      log,
      edition,
      view,
      options: { ...options, lease, now, elapsed },
      signal: stopping.signal,
      updateState: update,
    });
  };
  /**
   * Waits until the operator has repaired the cause, so that another edition is live or the right log is back. The wait
   * also ends when this process stops.
   */
  const waitForOperator = async (phase: ProjectionPhase, why: unknown) => {
    const error = why instanceof Error ? why : new Error(String(why));
    const sentence = phase === 'rebuild-needed' ? rebuildNeededMessage(error) : error.message;
    update({ phase, why: sentence, caughtUp: false });
    onTrouble(new Error(sentence, { cause: why }));
    if (phase === 'rebuild-needed') options.onCheckpointRejected?.();
    const live = await newest(store);
    const isRecovered = async () => {
      const current = await newest(store);
      if (current?.id !== live?.id) return true;
      if (phase !== 'rebuild-needed' || !current) return false;
      const { checkpoint } = await current.status();
      return validator.hold(undefined, checkpoint).then(
        () => true,
        () => false,
      );
    };
    do await rest(250);
    while (!stopping.signal.aborted && !(await isRecovered()));
  };
  const recover = async (why: unknown) => {
    if (why instanceof Overtaken) return rest(10);
    if (why instanceof RebuildInProgress) {
      update({ phase: 'rebuilding', why: why.message });
      return rest(250);
    }
    const phase = permanentFailurePhase(why);
    if (phase) return waitForOperator(phase, why);
    update({ phase: 'backing-off', why: String(why), caughtUp: false });
    onTrouble(why);
    await rest(Math.min(100 * 2 ** failures++, LAST_PAUSE_MS) * (0.5 + Math.random() / 2));
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await ((await lease.hold()) ? work() : follow());
      } catch (why) {
        await recover(why).catch(onTrouble);
      }
    }
  };
  const lag = lagAlarm(log, view.prefixes, () => state, { ...options, now });
  const start = startHead(log, view.prefixes);
  const running = run();

  return {
    name: view.name,
    version: view.version,
    now: () => {
      const { seconds, events } = lag.now();
      return { ...state, position: position(), lagSeconds: seconds, lagEvents: events };
    },
    whenProcessed: async (target, { timeout }) => {
      if (position() < target) await waiters.until(target, timeout);
    },
    // while this process does not know the checkpoint, a comparison would read the whole log
    hasReachedStart: async () => state.phase !== 'starting' && start.isReachedBy(state.checkpoint),
    stop: async () => {
      stopping.abort();
      lag.stop();
      await running;
      waiters.end();
      update({ phase: 'stopped', caughtUp: false });
    },
  };
}

/**
 * The longest pause between two tries, in milliseconds. The pause is short, so that the read model is at most a second
 * late when the store answers again.
 */
const LAST_PAUSE_MS = 800;

const always: Lease = {
  hold: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  held: () => Promise.resolve(undefined),
};

const monotonic = () => performance.now();

const newest = async (store: DocumentStore<unknown>) => store.live().catch(() => undefined);
