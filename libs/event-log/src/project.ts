import { setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@charter/decider';
import { type DocumentStore, type Edition, type Lease, Outdated, Overtaken, type Parked } from './document-store';
import { LogError } from './errors';
import { follow } from './follow';
import { type Oldest, lagOf, oldestUnseen } from './lag';
import { type Checkpoint, type EventLog, nowhere, type Position } from './port';
import { processed } from './processed';
import { Poisoned, rebuild } from './rebuild';
import type { PoisonAlarm } from './steps';
import type { View } from './view';

/** A view that is being kept up to date, for ever. Safe to stop, to repeat and to restart anywhere. */
export type Projection = Readonly<{
  name: string;
  version: number;
  /** What it is doing, why it is not doing better, and where it stands. Always the present moment. */
  now(): Course & Readonly<{ position: Position; lagSeconds: number }>;
  /** Events of the whole log not yet handled; nothing where the log cannot count. */
  lagEvents(): Promise<number | undefined>;
  /** Resolves once everything up to this position is in the documents. @throws NotYet after `timeout` milliseconds. */
  whenProcessed(position: Position, options: { timeout: number }): Promise<void>;
  /** Ends after the batch under way. The lease stays with whoever gave it. */
  stop(): Promise<void>;
}>;

export type Phase =
  | 'starting'
  | 'running'
  | 'rebuilding' // the live documents are of an older version
  | 'waiting' // somebody else holds the lease
  | 'paused'
  | 'backing-off' // the log or the documents do not answer
  | 'rebuild-needed' // the checkpoint does not belong to this log
  | 'outdated' // the documents were made by newer code
  | 'failed'
  | 'stopped';

/** Where a projection stands. */
export type Course = Readonly<{
  phase: Phase;
  why: string | undefined;
  checkpoint: Checkpoint | undefined;
  parked: ReadonlyMap<string, Parked>;
  /** Whether the end of the log was reached since the subscription began; `lagSeconds` says how it is now. */
  caughtUp: boolean;
  /** When the checkpoint last moved here; milliseconds since 1970. */
  movedAt: number | undefined;
}>;

export type ProjectOptions = Readonly<{
  /** Rings once a stream stays parked: the retries did not help. */
  alarm: (alarm: PoisonAlarm) => void;
  /** Told of every failure of log or store that is being waited out, for the operator's eyes. */
  onTrouble?: (why: unknown) => void;
  /** After each commit: the revisions that documents have reached. For caches. */
  onCommitted?: (revisions: ReadonlyMap<string, number>) => void;
  /** Without one, this process always projects. */
  lease?: Lease;
  /** Events in one commit. */
  batchMax?: number;
  /** Milliseconds between two commits while keeping up, so that a busy log makes fewer and larger ones. */
  pace?: number;
  /** Documents remembered between batches. */
  documentsKept?: number;
  now?: () => number;
}>;

/** Starts folding the log into the store. It never throws: what goes wrong is told by `now()`, `alarm` and `onTrouble`. */
export function project<Draft, Event extends Message>(
  log: EventLog,
  store: DocumentStore<Draft>,
  view: View<Draft, Event>,
  options: ProjectOptions,
): Projection {
  const { lease = always, now = Date.now, onTrouble = () => undefined } = options;
  const stopping = new AbortController();
  const waiters = processed();
  let course = starting;
  let oldest: Oldest | undefined;
  let failures = 0;

  const position = () => course.checkpoint?.position ?? nowhere;
  const become = (change: Partial<Course>) => {
    course = { ...course, ...change };
    if (change.checkpoint) waiters.reached(change.checkpoint.position);
    if (change.movedAt !== undefined) failures = 0;
  };
  const rest = (ms: number) => pause(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  /** Somebody else projects: whoever waits here is told of their progress. */
  const watch = async () => {
    const standing = await (await store.live())?.standing();
    become({ phase: 'waiting', why: undefined, caughtUp: false, ...(standing && watched(standing)) });
    await rest(waiters.anyone() ? 20 : 100);
  };
  const liveEdition = async (): Promise<Edition<Draft>> => {
    const live = await store.live();
    if (live?.version === view.version) return live;
    if (!live) await store.flip(await store.begin());
    else {
      become({ phase: 'rebuilding', why: `from version ${live.version} to ${view.version}` });
      await rebuild(log, store, view, { signal: stopping.signal });
    }
    return liveEdition();
  };
  const work = async () => {
    const edition = await liveEdition();
    await follow({ log, edition, view, options: { ...options, lease, now }, signal: stopping.signal, become });
  };
  /** What cannot heal by itself waits for an operator: another edition, or the end of this process. */
  const untilAnotherEdition = async (phase: Phase, why: unknown) => {
    become({ phase, why: String(why), caughtUp: false });
    onTrouble(why);
    const { id } = (await newest(store)) ?? {};
    do await rest(250);
    while (!stopping.signal.aborted && (await newest(store))?.id === id);
  };
  const mend = async (why: unknown) => {
    if (why instanceof Overtaken) return rest(10);
    const phase = incurable(why);
    if (phase) return untilAnotherEdition(phase, why);
    become({ phase: 'backing-off', why: String(why), caughtUp: false });
    onTrouble(why);
    await rest(Math.min(100 * 2 ** failures++, 10_000) * (0.5 + Math.random() / 2));
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      try {
        await ((await lease.hold()) ? work() : watch());
      } catch (why) {
        await mend(why).catch(onTrouble);
      }
    }
  };
  const sample = async () => {
    oldest = await oldestUnseen(log, view.prefixes, course.checkpoint);
  };
  const sampling = setInterval(() => void sample().catch(() => undefined), 500).unref();
  const running = run();

  return {
    name: view.name,
    version: view.version,
    now: () => ({ ...course, position: position(), lagSeconds: lagOf(oldest, position(), now()) }),
    lagEvents: async () => log.lag?.(position()),
    whenProcessed: async (place, { timeout }) => {
      if (position() < place) await waiters.until(place, timeout);
    },
    stop: async () => {
      stopping.abort();
      clearInterval(sampling);
      await running;
      waiters.end();
      become({ phase: 'stopped', caughtUp: false });
    },
  };
}

const starting: Course = {
  phase: 'starting',
  why: undefined,
  checkpoint: undefined,
  parked: new Map(),
  caughtUp: false,
  movedAt: undefined,
};

const always: Lease = { hold: () => Promise.resolve(true), release: () => Promise.resolve() };

const watched = ({ checkpoint, parked }: Pick<Course, 'checkpoint' | 'parked'>): Partial<Course> => ({
  checkpoint,
  parked,
});

const newest = async (store: DocumentStore<unknown>) => store.live().catch(() => undefined);

/** What no waiting mends, and how it is called. */
function incurable(why: unknown): Phase | undefined {
  if (why instanceof Outdated) return 'outdated';
  if (why instanceof Poisoned) return 'failed';
  if (!(why instanceof LogError)) return undefined;
  if (why.kind === 'unknown-checkpoint') return 'rebuild-needed';
  return ['denied', 'deleted', 'closed'].includes(why.kind) ? 'failed' : undefined;
}
