import type { ServerResponse } from 'node:http';
import type { Actor } from '@charter/decider';
import { retryLater, ProblemError } from '../problems/problem';

/** Who asks, and where the answer goes: once that is closed, nobody is there to answer. */
export type Asker = Readonly<{ actor: Actor; response: ServerResponse }>;

/**
 * Lets in what costs much: reading a long history, exporting it, verifying it (`acceptance.md` Q6). So many at once in this
 * process; one caller has half of the places at most, and one question that waits for a place.
 *
 * `gone` fires when the caller goes away, also in the middle of the work: hand it to whatever reads, and look at it between
 * pages. The place is free again when the work has ended, and lent to others while it waits `aside` for the caller to take what
 * was sent: whoever reads slowly keeps nobody out.
 * @example
 * await gate(asker, async (gone, aside) => {
 *   for await (const page of pages) {
 *     gone.throwIfAborted();
 *     if (!response.write(linesOf(page))) await aside(once(response, 'drain', { signal: gone }));
 *   }
 *   response.end();
 * });
 * @throws Stop 429 when the caller has enough under way, 503 when no place became free in time; Gone
 */
export type Gate = <Answer>(
  asker: Asker,
  work: (gone: AbortSignal, aside: ReleaseSlotWhile) => Promise<Answer>,
) => Promise<Answer>;

/** Waits for something without a place, and goes on once it has one again. */
export type ReleaseSlotWhile = <Value>(waiting: Promise<Value>) => Promise<Value>;

/** Whoever asked went away: there is nobody to answer, and nothing to tell. */
export class ClientGone extends Error {
  constructor() {
    super('Whoever asked has gone.');
    this.name = 'ClientGone';
  }
}

/** `begun`: how many may be under way, those that wait aside among them; what each holds in memory is little. */
export type GateLimits = Readonly<{
  concurrent: number;
  concurrentPerCaller: number;
  begun: number;
  waiting: number;
  waitMaxMs: number;
}>;

/** Each reads page after page, and leaves the process to others in between. */
export const COSTLY_READ_LIMITS: GateLimits = {
  concurrent: 4,
  concurrentPerCaller: 2,
  begun: 64,
  waiting: 32,
  waitMaxMs: 3_000,
};

/** Listening costs little, but each reads what comes: whoever finds no place comes again. */
export const FEED_LIMITS: GateLimits = { concurrent: 64, concurrentPerCaller: 8, begun: 64, waiting: 0, waitMaxMs: 0 };

type Waiting = Readonly<{ caller: string; go: () => void }>;

export function createGate(places: GateLimits, putOff: (reason: 'caller' | 'expensive') => void): Gate {
  const inside = new Map<string, number>();
  const line: Waiting[] = [];
  const returning: (() => void)[] = [];
  let [taken, begun] = [0, 0];

  const hasRoomFor = (caller: string) =>
    taken < places.concurrent && begun < places.begun && (inside.get(caller) ?? 0) < places.concurrentPerCaller;
  const take = (caller: string) => {
    taken += 1;
    begun += 1;
    inside.set(caller, (inside.get(caller) ?? 0) + 1);
  };
  /** Whoever has begun is finished first. */
  const leavePlace = () => {
    taken -= 1;
    const next = returning.shift() ?? line.find((one) => hasRoomFor(one.caller))?.go;
    next?.();
  };
  const giveBack = (caller: string) => {
    begun -= 1;
    const left = inside.get(caller)! - 1;
    if (left > 0) inside.set(caller, left);
    else inside.delete(caller);
    leavePlace();
  };
  const takeAgain = async (): Promise<void> => {
    if (taken >= places.concurrent) await new Promise<void>((go) => returning.push(go));
    taken += 1;
  };
  const aside: ReleaseSlotWhile = async (waiting) => {
    leavePlace();
    try {
      return await waiting;
    } finally {
      await takeAgain();
    }
  };
  const wait = (caller: string, gone: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(one), 1);
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        leave();
        reject(gone.reason as ClientGone);
      };
      const timer = setTimeout(() => {
        leave();
        putOff('expensive');
        reject(noPlace);
      }, places.waitMaxMs);
      const go = () => {
        leave();
        take(caller);
        resolve();
      };
      const one: Waiting = { caller, go };
      gone.addEventListener('abort', giveUp);
      line.push(one);
    });
  const enter = async (caller: string, gone: AbortSignal): Promise<void> => {
    gone.throwIfAborted();
    if (hasRoomFor(caller)) {
      take(caller);
      return;
    }
    if (line.some((one) => one.caller === caller)) {
      putOff('caller');
      throw enough;
    }
    if (line.length >= places.waiting) {
      putOff('expensive');
      throw noPlace;
    }
    return wait(caller, gone);
  };

  return async ({ actor, response }, work) => {
    const caller = `${actor.kind} ${actor.id}`;
    const { signal: gone, end } = whenGone(response);
    try {
      await enter(caller, gone);
      try {
        return await work(gone, aside);
      } finally {
        giveBack(caller);
      }
    } finally {
      end();
    }
  };
}

function whenGone(response: ServerResponse): Readonly<{ signal: AbortSignal; end: () => void }> {
  const gone = new AbortController();
  const leave = () => gone.abort(new ClientGone());
  if (response.destroyed) leave();
  response.once('close', leave);
  return { signal: gone.signal, end: () => response.off('close', leave) };
}

const AGAIN_SECONDS = 2;
const noPlace = retryLater('busy', 'Too many long histories are being read at the moment.', AGAIN_SECONDS);
const enough = new ProblemError(
  429,
  'too-many-at-once',
  'Enough of your questions about long histories are under way. Ask again when one of them is answered.',
  {},
  { 'Retry-After': String(AGAIN_SECONDS) },
);
