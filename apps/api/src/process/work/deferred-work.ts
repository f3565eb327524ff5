import { randomInt } from 'node:crypto';
import type { DeferredEntry } from '@charter/database';
import { sealSecret, unsealSecret } from '@charter/identity';
import { type Charter, secureRandom } from '@charter/application';
import { orUnavailable, retryLater } from '../../http/problems/problem';
import { nameOf, retrying } from './background-work';
import type { DeferredContents, DeferredKind } from './deferred-contents';
import { namedCounts } from './named-counts';
import { type Clock, databaseTime } from '../parts/clock';
import type { Observability } from '../parts/observability';

/**
 * Work that must not be lost and happens after the answer. It is on disk before the answer, and a process does it at a
 * random moment, so that neither the answer nor the time of the next request reveals what the work was.
 */
export type DeferredWork = Readonly<{
  /**
   * The work is on disk when this resolves.
   * @param whose the client's network or the account; each has a share of the waiting work
   * @throws ProblemError 503 if too much work waits, or if the tables do not answer
   */
  add: <Kind extends DeferredKind>(kind: Kind, whose: string, content: DeferredContents[Kind]) => Promise<void>;
  /** Does all waiting work now. Work that fails stays in the table. */
  settled: () => Promise<void>;
  stop: () => void;
}>;

/** Does one kind of work. It may be called again for work that it has done: a process may crash in between. */
export type DeferredHandler<Content> = Readonly<{
  /**
   * `id`: equal at each repetition. `count`: the number of entries that this call stands for. `add`: adds more work, so
   * that each part can be repeated alone.
   */
  do: (content: Content, entry: Readonly<{ id: string; count: number; add: DeferredWork['add'] }>) => Promise<unknown>;
  /** Entries with equal texts are done once. */
  sameAs?: (content: Content) => string | undefined;
}>;
export type DeferredHandlers = Readonly<{ [Kind in DeferredKind]: DeferredHandler<DeferredContents[Kind]> }>;

/** Milliseconds between two rounds: a random time in this range. */
const ROUND_MIN_MS = 300;
const ROUND_MAX_MS = 1_500;
/** A process without own work looks for the work of others, for instance of a crashed process, in each such round. */
const ROUNDS_FOR_OTHERS = 5;
/** Entries that a process works on at the same time. */
const CONCURRENT_MAX = 8;
/** Milliseconds until work that failed is tried once more. If it fails again, it waits for `CLAIM_MS`. */
const RETRY_MS = 150;
/** Milliseconds after which taken work is done again, because its process has crashed or has failed. */
const CLAIM_MS = 30_000;
/** Waiting entries of one kind that this process has accepted. */
const WAITING_MAX = 8_000;
/** The part for one address or account. The limits of attempts are far below it. */
const SHARE_MAX = WAITING_MAX / 8;

type Unit = Readonly<{ kind: DeferredKind; ids: string[]; run: () => Promise<unknown> }>;

export function startDeferredWork(
  { database, keyFor, now, logger }: Pick<Charter, 'database' | 'keyFor'> & Clock & Pick<Observability, 'logger'>,
  handlers: DeferredHandlers,
): DeferredWork {
  const { deferred: store } = database;
  const key = keyFor('secrets');
  const present = databaseTime({ database, now });
  /** The accepted entries that are not done yet, by id. */
  const own = new Map<string, Readonly<{ kind: DeferredKind; whose: string }>>();
  const counts = namedCounts();
  let working: Promise<void> | undefined;
  let stopping = false;

  const count = (kind: string, whose: string, by: 1 | -1) => {
    counts.change(kind, by);
    counts.change(`${kind} ${whose}`, by);
  };
  const accept = (id: string, kind: DeferredKind, whose: string) => {
    own.set(id, { kind, whose });
    count(kind, whose, 1);
  };
  const release = (id: string) => {
    const entry = own.get(id);
    if (!entry || !own.delete(id)) return;
    count(entry.kind, entry.whose, -1);
  };

  const add: DeferredWork['add'] = async (kind, whose, content) => {
    if (counts.of(kind) >= WAITING_MAX || counts.of(`${kind} ${whose}`) >= SHARE_MAX)
      throw retryLater('busy', 'Too many requests of this kind wait to be worked on. Nothing was done.');
    const id = secureRandom.uuid();
    const sealed = sealSecret(key, JSON.stringify(content), secureRandom);
    accept(id, kind, whose);
    try {
      await orUnavailable(present().then((at) => store.add({ id, kind, sealed }, at)));
    } catch (error) {
      release(id);
      throw error;
    }
  };

  const unitOf = <Kind extends DeferredKind>(kind: Kind, content: DeferredContents[Kind], id: string) => {
    const ids = [id];
    const handler = handlers[kind];
    const unit: Unit = { kind, ids, run: () => handler.do(content, { id, count: ids.length, add }) };
    return { unit, same: handler.sameAs?.(content) ?? id };
  };
  const unitsOf = (entries: readonly DeferredEntry[]): readonly Unit[] => {
    const units = new Map<string, Unit>();
    for (const { id, kind, sealed } of entries) {
      const text = unsealSecret(key, sealed);
      if (text === undefined || !isKind(kind, handlers)) {
        logger.error({ what: kind, why: 'unreadable' }, 'deferred work was given up');
        units.set(id, { kind: kind as DeferredKind, ids: [id], run: () => Promise.resolve() });
        continue;
      }
      const { unit, same } = unitOf(kind, JSON.parse(text) as DeferredContents[typeof kind], id);
      const known = units.get(`${kind} ${same}`);
      if (known) known.ids.push(id);
      else units.set(`${kind} ${same}`, unit);
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
        if (entries.length === 0) return;
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

const isKind = (kind: string, handlers: DeferredHandlers): kind is DeferredKind => Object.hasOwn(handlers, kind);
