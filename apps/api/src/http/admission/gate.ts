import type { ServerResponse } from 'node:http';
import type { Actor } from '@charter/decider';
import { retryLater, ProblemError } from '../problems/problem';

/** The caller and its response; a closed response means that the caller has disconnected. */
export type Asker = Readonly<{ actor: Actor; response: ServerResponse }>;

/**
 * Limits costly work: reading, exporting or verifying a long history (`acceptance.md` Q6). A caller has at most half
 * of the places of this process, and at most one waiting request.
 *
 * `gone` fires when the caller disconnects: pass it to every read and check it between pages. The place is free after
 * the work. While the work waits `aside` for a slow reader, other callers may use its place.
 * @example
 * await gate(asker, async (gone, aside) => {
 *   for await (const page of pages) {
 *     gone.throwIfAborted();
 *     if (!response.write(linesOf(page))) await aside(once(response, 'drain', { signal: gone }));
 *   }
 *   response.end();
 * });
 * @throws ProblemError 429 if the caller has enough running, 503 if no place became free in time; ClientGone
 */
export type Gate = <Answer>(
  asker: Asker,
  work: (gone: AbortSignal, aside: ReleaseSlotWhile) => Promise<Answer>,
) => Promise<Answer>;

/** Gives up the place during a wait and takes a place again afterwards. */
export type ReleaseSlotWhile = <Value>(waiting: Promise<Value>) => Promise<Value>;

/** The caller has disconnected, so there is no answer and no log line. */
export class ClientGone extends Error {
  constructor() {
    super('The caller has disconnected.');
    this.name = 'ClientGone';
  }
}

/** `begun`: the largest number of started requests, waiting ones included. Each holds little memory. */
export type GateLimits = Readonly<{
  concurrent: number;
  concurrentPerCaller: number;
  begun: number;
  waiting: number;
  waitMaxMs: number;
}>;

/** Each reader yields to other work between pages. */
export const COSTLY_READ_LIMITS: GateLimits = {
  concurrent: 4,
  concurrentPerCaller: 2,
  begun: 64,
  waiting: 32,
  waitMaxMs: 3_000,
};

/** A feed costs little while it waits, but it reads every new event. A refused client retries. */
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
  /** Started requests go before new ones. */
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
const noPlace = retryLater('busy', 'Other callers read too many long histories at the moment.', AGAIN_SECONDS);
const enough = new ProblemError(
  429,
  'too-many-at-once',
  'You already have enough running requests for long histories. Retry when the service has answered one of them.',
  {},
  { 'Retry-After': String(AGAIN_SECONDS) },
);
