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
import { type EventLog, EMPTY_LOG_POSITION, type Position } from '@charter/event-log';
import { positionWaiter } from './lag/position-waiter';
import { rebuild } from './rebuild/rebuild';
import type { View } from './view';
import type { ProjectionOptions } from './projector/projection-options';

/** A view that is being kept up to date, for ever. Safe to stop, to repeat and to restart anywhere. */
export type Projection = Readonly<{
  name: string;
  version: number;
  /** What it is doing, why it is not doing better, and where it stands. The lag is true within a second. */
  now(): ProjectionState & Readonly<{ position: Position; lagSeconds: number; lagEvents: number | undefined }>;
  /** Resolves once everything up to this position is in the documents. @throws NotYet after `timeout` milliseconds. */
  whenProcessed(position: Position, options: { timeout: number }): Promise<void>;
  /** Ends after the batch under way. The lease stays with whoever gave it. */
  stop(): Promise<void>;
}>;

/** Starts folding the log into the store. It never throws: what goes wrong is told by `now()`, `alarm` and `onTrouble`. */
export function project<Draft, Event extends Message>(
  log: EventLog,
  store: DocumentStore<Draft>,
  view: View<Draft, Event>,
  options: ProjectionOptions,
): Projection {
  const { lease = always, now = Date.now, onTrouble = () => undefined } = options;
  const stopping = new AbortController();
  const waiters = positionWaiter();
  const belief = checkpointValidator(log);
  let course = startingState;
  let failures = 0;
  let isOurs = false;

  const position = () => course.checkpoint?.position ?? EMPTY_LOG_POSITION;
  const become = (change: Partial<ProjectionState>) => {
    const moved = change.checkpoint !== undefined && change.checkpoint.position !== course.checkpoint?.position;
    course = { ...course, ...change, ...(moved && { movedAt: now() }) };
    if (change.checkpoint) waiters.reached(change.checkpoint.position);
    if (moved || change.movedAt !== undefined) failures = 0;
  };
  const rest = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  /** Somebody else projects: whoever waits here is told of their progress, and of a log that is not theirs. */
  const watch = async () => {
    const live = await store.live();
    const standing = await live?.status();
    await belief.hold(live?.id, standing?.checkpoint);
    const { checkpoint, parked, paused } = standing ?? {};
    const phase = paused ? 'paused' : 'waiting';
    become({ phase, why: undefined, caughtUp: false, ...(parked && { checkpoint, parked }) });
    await rest(waiters.anyone() ? 20 : 100);
  };
  const liveEdition = async (): Promise<Edition<Draft>> => {
    const live = await store.live();
    if (live?.version === view.version) return live;
    if (!live)
      await store.activate(await store.begin({ takeOver: true })); // whoever follows answers at once
    else {
      become({ phase: 'rebuilding', why: `from version ${live.version} to ${view.version}` });
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
      options: { ...options, lease, now },
      signal: stopping.signal,
      updateState: become,
    });
  };
  /** What cannot heal by itself waits for an operator: another edition, the log it belongs to, or the end of this process. */
  const untilMended = async (phase: ProjectionPhase, why: unknown) => {
    const said = why instanceof Error ? why : new Error(String(why));
    const sentence = phase === 'rebuild-needed' ? rebuildNeededMessage(said) : said.message;
    become({ phase, why: sentence, caughtUp: false });
    onTrouble(new Error(sentence, { cause: why }));
    if (phase === 'rebuild-needed') options.onCheckpointRejected?.();
    const live = await newest(store);
    const isMended = async () => {
      const present = await newest(store);
      if (present?.id !== live?.id) return true;
      if (phase !== 'rebuild-needed' || !present) return false;
      const { checkpoint } = await present.status();
      return belief.hold(undefined, checkpoint).then(
        () => true,
        () => false,
      );
    };
    do await rest(250);
    while (!stopping.signal.aborted && !(await isMended()));
  };
  const mend = async (why: unknown) => {
    if (why instanceof Overtaken) return rest(10);
    if (why instanceof RebuildInProgress) {
      become({ phase: 'rebuilding', why: why.message });
      return rest(250);
    }
    const phase = permanentFailurePhase(why);
    if (phase) return untilMended(phase, why);
    become({ phase: 'backing-off', why: String(why), caughtUp: false });
    onTrouble(why);
    const longest = isOurs ? 10_000 : 1_000; // who only watches has one small question, and tells a lag until it is answered
    await rest(Math.min(100 * 2 ** failures++, longest) * (0.5 + Math.random() / 2));
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        isOurs = await lease.hold();
        await (isOurs ? work() : watch());
      } catch (why) {
        await mend(why).catch(onTrouble);
      }
    }
  };
  const lag = lagAlarm(log, view.prefixes, () => course, { ...options, now });
  const running = run();

  return {
    name: view.name,
    version: view.version,
    now: () => {
      const { seconds, events } = lag.now();
      return { ...course, position: position(), lagSeconds: seconds, lagEvents: events };
    },
    whenProcessed: async (place, { timeout }) => {
      if (position() < place) await waiters.until(place, timeout);
    },
    stop: async () => {
      stopping.abort();
      lag.stop();
      await running;
      waiters.end();
      become({ phase: 'stopped', caughtUp: false });
    },
  };
}

const always: Lease = {
  hold: () => Promise.resolve(true),
  release: () => Promise.resolve(),
  held: () => Promise.resolve(undefined),
};

const newest = async (store: DocumentStore<unknown>) => store.live().catch(() => undefined);
