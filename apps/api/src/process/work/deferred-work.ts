import { randomInt } from 'node:crypto';
import type { DeferredEntry } from '@charter/database';
import { uuidv5 } from '@charter/event-log';
import { sealSecret, unsealSecret } from '@charter/identity';
import { type Charter, secureRandom } from '@charter/application';
import { retryLater } from '../../http/problems/problem';
import { nameOf, retrying } from './background-work';
import type { DeferredContents, DeferredKind } from './deferred-contents';
import { namedCounts } from './named-counts';
import { type Clock, databaseTime } from '../parts/clock';
import type { Observability } from '../parts/observability';

/**
 * Work that a process does after the answer, and that must not be lost. The work is on disk before the answer, and a
 * process does the work at a random moment. Because of the random moment, neither the answer nor the duration of the
 * next request reveals the kind of work.
 */
export type DeferredWork = Readonly<{
  /**
   * Resolves when the work is on disk.
   * @param whose the client's network or the account; for each of them, only a limited amount of work may wait
   * @throws ProblemError 503 if too much work waits, or if the tables do not answer
   */
  add: <Kind extends DeferredKind>(kind: Kind, whose: string, content: DeferredContents[Kind]) => Promise<void>;
  /** Does all waiting work now. Work that fails stays in the table. */
  settled: () => Promise<void>;
  stop: () => void;
}>;

/** Does one kind of work. A handler may get the same work twice, because a process may crash after the work. */
export type DeferredHandler<Content> = Readonly<{
  /**
   * `id`: a UUID, the same at each repetition of the same entries. `count`: the number of equal entries that this call
   * handles. `add`: adds further work, which has separate retries.
   */
  do: (content: Content, entry: Readonly<{ id: string; count: number; add: DeferredWork['add'] }>) => Promise<unknown>;
  /**
   * Waiting entries for which this function returns the same text are handled in one call. A repetition handles no new
   * entries together with the former entries.
   */
  sameAs?: (content: Content) => string | undefined;
}>;
export type DeferredHandlers = Readonly<{ [Kind in DeferredKind]: DeferredHandler<DeferredContents[Kind]> }>;

/** The range of the random pause between two rounds of deferred work, in milliseconds. */
const ROUND_MIN_MS = 300;
const ROUND_MAX_MS = 1_500;
/**
 * After this many rounds, a process without work of its own looks for work of other processes, for example of a crashed
 * process.
 */
const ROUNDS_FOR_OTHERS = 5;
/** The maximum number of entries of deferred work that a process handles at the same time. */
const CONCURRENT_MAX = 8;
/**
 * The number of milliseconds after which failed work is tried once more. If the work fails again, it waits for
 * `CLAIM_MS`.
 */
const RETRY_MS = 150;
/**
 * The number of milliseconds after which claimed work is done again, because the process that claimed it has crashed or
 * failed.
 */
const CLAIM_MS = 30_000;
/** The maximum number of waiting entries of one kind that this process has accepted. */
const WAITING_MAX = 8_000;
/**
 * The maximum number of waiting entries for one address or account. The limits of sign-in attempts are far below this
 * number.
 */
const SHARE_MAX = WAITING_MAX / 8;

/** `isStored`: whether the entry was on disk. The table then contains the entry until a process has done it. */
type OwnEntry = Readonly<{ kind: DeferredKind; whose: string }> & { isStored: boolean };

type Unit = Readonly<{ kind: DeferredKind; ids: string[]; run: () => Promise<unknown> }>;

/** Makes UUIDs (RFC 9562, version 7). Their order is the order in which this process accepted the entries. */
function orderedIds(now: () => number): () => string {
  let last = 0n;
  return () => {
    const earliest = BigInt(now()) << 12n;
    last = earliest > last ? earliest : last + 1n;
    const time = last.toString(16).padStart(15, '0');
    return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${time.slice(12)}-${secureRandom.uuid().slice(19)}`;
  };
}

export function startDeferredWork(
  { database, keyFor, now, logger }: Pick<Charter, 'database' | 'keyFor'> & Clock & Pick<Observability, 'logger'>,
  handlers: DeferredHandlers,
): DeferredWork {
  const { deferred: store } = database;
  const key = keyFor('secrets');
  const present = databaseTime({ database, now });
  const nextId = orderedIds(now);
  /** The accepted entries that are not done yet, by id. */
  const own = new Map<string, OwnEntry>();
  const counts = namedCounts();
  let working: Promise<void> | undefined;
  let stopping = false;

  const count = (kind: string, whose: string, by: 1 | -1) => {
    counts.change(kind, by);
    counts.change(`${kind} ${whose}`, by);
  };
  const accept = (id: string, kind: DeferredKind, whose: string) => {
    own.set(id, { kind, whose, isStored: false });
    count(kind, whose, 1);
  };
  const release = (id: string) => {
    const entry = own.get(id);
    if (!entry || !own.delete(id)) return;
    count(entry.kind, entry.whose, -1);
  };
  /** Releases the entries that other processes have done. */
  const releaseDone = async () => {
    const stored = [...own].filter(([, { isStored }]) => isStored).map(([id]) => id);
    const remaining = await store.remaining(stored);
    for (const id of stored) if (!remaining.has(id)) release(id);
  };

  const add: DeferredWork['add'] = async (kind, whose, content) => {
    if (counts.of(kind) >= WAITING_MAX || counts.of(`${kind} ${whose}`) >= SHARE_MAX)
      throw retryLater('busy', 'Too many requests of this kind are waiting. Nothing was done.');
    const id = nextId();
    const sealed = sealSecret(key, JSON.stringify(content), secureRandom);
    accept(id, kind, whose);
    try {
      await present().then((at) => store.add({ id, kind, sealed }, at));
      const entry = own.get(id); // undefined if this process has already done the work
      if (entry) entry.isStored = true;
    } catch (error) {
      release(id);
      throw error;
    }
  };

  const unitOf = <Kind extends DeferredKind>(kind: Kind, content: DeferredContents[Kind], id: string) => {
    const ids = [id];
    const handler = handlers[kind];
    const run = () => handler.do(content, { id: unitIdOf(ids), count: ids.length, add });
    const unit: Unit = { kind, ids, run };
    return { unit, same: handler.sameAs?.(content) ?? id };
  };
  const unitsOf = (entries: readonly DeferredEntry[]): readonly Unit[] => {
    const units = new Map<string, Unit>();
    // In the order of their ids, so that the repetition after a crash has the same units.
    for (const { id, kind, sealed } of entries.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
      const text = unsealSecret(key, sealed);
      if (text === undefined || !isKind(kind, handlers)) {
        logger.error({ what: kind, why: 'unreadable' }, 'deferred work was given up');
        units.set(id, { kind: kind as DeferredKind, ids: [id], run: () => Promise.resolve() });
        continue;
      }
      const { unit, same } = unitOf(kind, JSON.parse(text) as DeferredContents[typeof kind], id);
      const name = `${kind} ${same}`;
      const known = units.get(name);
      if (known) known.ids.push(id);
      else units.set(name, unit);
    }
    return [...units.values()];
  };
  const doUnit = async ({ kind, ids, run }: Unit) => {
    try {
      await retrying(run, [RETRY_MS])();
      await store.done(ids);
      ids.forEach(release);
    } catch (error) {
      logger.warn({ what: kind, why: nameOf(error) }, 'deferred work failed, and is tried again');
    }
  };
  const workOff = async () => {
    try {
      for (;;) {
        const at = await present();
        const entries = await store.take(at, at + CLAIM_MS, CONCURRENT_MAX);
        if (entries.length === 0) {
          await releaseDone();
          return;
        }
        await Promise.all(unitsOf(entries).map(doUnit));
      }
    } catch (error) {
      logger.warn({ why: nameOf(error) }, 'deferred work could not be read');
    }
  };
  const work = () => (working ??= workOff().finally(() => (working = undefined)));

  let rounds = 0;
  let timer: NodeJS.Timeout;
  const waitForRound = () => {
    if (stopping) return;
    const round = async () => {
      rounds += 1;
      if (own.size > 0 || rounds % ROUNDS_FOR_OTHERS === 1) await work();
      waitForRound();
    };
    timer = setTimeout(() => void round(), randomInt(ROUND_MIN_MS, ROUND_MAX_MS)).unref();
  };
  waitForRound();

  return {
    add,
    settled: async () => {
      await working;
      await work();
    },
    stop: () => {
      stopping = true;
      clearTimeout(timer);
    },
  };
}

const unitIdOf = (ids: readonly string[]) => (ids.length === 1 ? ids[0]! : uuidv5(ids[0]!, ids.join()));

const isKind = (kind: string, handlers: DeferredHandlers): kind is DeferredKind => Object.hasOwn(handlers, kind);
