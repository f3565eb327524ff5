import type { ServerResponse } from 'node:http';
import type { Actor } from '@charter/decider';
import { namedCounts } from '../../process/work/named-counts';
import { retryLater, ProblemError } from '../problems/problem';

/** The caller and its response; a closed response means that the caller has disconnected. */
export type Asker = Readonly<{
  actor: Actor;
  response: ServerResponse;
  /** The organizations that the caller acts for; absent if the caller acts for the platform. */
  organizations?: readonly string[] | undefined;
}>;

/**
 * Limits costly work: reading, exporting or verifying a long history (`acceptance.md` Q6), and change feeds. A caller
 * has at most `concurrentPerCaller` of the slots of this process, and at most one waiting request. The gate does not
 * use the event log's `concurrencyLimit`, which has no limit for each caller and cannot release a slot during a wait.
 *
 * `gone` fires when the caller disconnects: pass it to every read and check it between pages. The gate releases the
 * slot after the work. During `releaseSlotWhile`, the work waits for a slow reader, and other callers may use the slot.
 * @example
 * await gate(asker, async (gone, releaseSlotWhile) => {
 *   for await (const page of pages) {
 *     gone.throwIfAborted();
 *     if (!response.write(linesOf(page))) await releaseSlotWhile(once(response, 'drain', { signal: gone }));
 *   }
 *   response.end();
 * });
 * @throws ProblemError 429 if the caller or its organization has too many running requests, 503 if no slot became free
 *   in time; ClientGone
 */
export type Gate = <Answer>(
  asker: Asker,
  work: (gone: AbortSignal, releaseSlotWhile: ReleaseSlotWhile) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Releases the slot during a wait, and takes a slot before the work continues. If the wait fails, the work must end,
 * because it has no slot.
 */
export type ReleaseSlotWhile = <Value>(waiting: Promise<Value>) => Promise<Value>;

/** The client has disconnected, so Charter sends no answer and logs nothing. */
export class ClientGone extends Error {
  constructor() {
    super('The caller has disconnected.');
    this.name = 'ClientGone';
  }
}

/**
 * `begun`: the maximum number of started requests, including those that wait for a slow client. A waiting request needs
 * little memory.
 */
export type GateLimits = Readonly<{
  concurrent: number;
  concurrentPerCaller: number;
  /**
   * The limit for all callers of an organization together. If a caller acts for several organizations, at least one
   * organization must be below the limit.
   */
  concurrentPerOrganization?: number;
  begun: number;
  waiting: number;
  waitMaxMs: number;
}>;

/** The limits for long reads. A long read lets other work run between two pages of events. */
export const COSTLY_READ_LIMITS: GateLimits = {
  concurrent: 4,
  concurrentPerCaller: 2,
  begun: 64,
  waiting: 32,
  waitMaxMs: 3_000,
};

/**
 * The limits for change feeds. A feed costs little while it waits, but it reads every new event. The gate for feeds has
 * no queue, because a refused client retries.
 */
export const FEED_LIMITS: GateLimits = {
  concurrent: 64,
  concurrentPerCaller: 8,
  concurrentPerOrganization: 16,
  begun: 64,
  waiting: 0,
  waitMaxMs: 0,
};

/**
 * The limits for open streams of changed entitlements or flags. A stream costs little memory, and reads no events. The
 * number is below the limit for running reads (`ADMISSION_LIMITS`), because an open stream counts as a running read.
 */
export const LISTENER_LIMITS: GateLimits = {
  concurrent: 1_500,
  concurrentPerCaller: 1_100,
  concurrentPerOrganization: 1_100,
  begun: 1_500,
  waiting: 0,
  waitMaxMs: 0,
};

/** The limits for reads that wait for the revision `atLeast`. A waiting read asks the store many times. */
export const REVISION_WAIT_LIMITS: GateLimits = {
  concurrent: 256,
  concurrentPerCaller: 64,
  begun: 256,
  waiting: 0,
  waitMaxMs: 0,
};

type Waiting = Readonly<{ caller: string; start: () => void }>;

export function createGate(limits: GateLimits, countRefusal: (reason: 'caller' | 'expensive') => void): Gate {
  const begunByCaller = namedCounts();
  const queue: Waiting[] = [];
  const returning: (() => void)[] = [];
  let [running, begun] = [0, 0];

  const hasSlotFor = (caller: string) =>
    running < limits.concurrent && begun < limits.begun && begunByCaller.of(caller) < limits.concurrentPerCaller;
  const begin = (caller: string) => {
    running += 1;
    begun += 1;
    begunByCaller.change(caller, 1);
  };
  /**
   * Gives the slot to a started request that waits to continue; if there is none, to the first waiting request that may
   * start.
   */
  const releaseSlot = () => {
    const resume = running > limits.concurrent ? undefined : returning.shift();
    if (resume) resume();
    else {
      running -= 1;
      queue.find(({ caller }) => hasSlotFor(caller))?.start();
    }
  };
  const finish = (caller: string) => {
    begun -= 1;
    begunByCaller.change(caller, -1);
    releaseSlot();
  };
  const takeSlotAgain = (gone: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      if (running < limits.concurrent) {
        running += 1;
        resolve();
        return;
      }
      const resume = () => {
        gone.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        returning.splice(returning.indexOf(resume), 1);
        reject(gone.reason as ClientGone);
      };
      gone.addEventListener('abort', giveUp, { once: true });
      returning.push(resume);
    });
  const slotReleaser =
    (gone: AbortSignal): ReleaseSlotWhile =>
    async (waiting) => {
      releaseSlot();
      try {
        const value = await waiting;
        await takeSlotAgain(gone);
        return value;
      } catch (error) {
        running += 1; // beyond the limit until `finish`, because the work ends without a slot
        throw error;
      }
    };
  /** The refusal of a request that got no slot: the caller itself, or all callers together, have too many requests. */
  const refusalOf = (caller: string): ProblemError => {
    const isOwn = begunByCaller.of(caller) >= limits.concurrentPerCaller;
    countRefusal(isOwn ? 'caller' : 'expensive');
    return isOwn ? tooManyOfCaller : noSlot;
  };
  const wait = (caller: string, gone: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const dequeue = () => {
        queue.splice(queue.indexOf(waiting), 1);
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
      };
      const giveUp = () => {
        dequeue();
        reject(gone.reason as ClientGone);
      };
      const timer = setTimeout(() => {
        dequeue();
        reject(refusalOf(caller));
      }, limits.waitMaxMs);
      const start = () => {
        dequeue();
        begin(caller);
        resolve();
      };
      const waiting: Waiting = { caller, start };
      gone.addEventListener('abort', giveUp);
      queue.push(waiting);
    });
  const enter = async (caller: string, gone: AbortSignal): Promise<void> => {
    gone.throwIfAborted();
    if (hasSlotFor(caller)) {
      begin(caller);
      return;
    }
    if (queue.some((waiting) => waiting.caller === caller)) {
      countRefusal('caller');
      throw tooManyOfCaller;
    }
    if (queue.length >= limits.waiting) throw refusalOf(caller);
    return wait(caller, gone);
  };

  const shares = sharesOf(limits.concurrentPerOrganization ?? Infinity, () => countRefusal('caller'));

  return async ({ actor, response, organizations }, work) => {
    const caller = `${actor.kind} ${actor.id}`;
    const giveBack = shares.take(organizations);
    const { signal: gone, end } = whenGone(response);
    try {
      await enter(caller, gone);
      try {
        return await work(gone, slotReleaser(gone));
      } finally {
        finish(caller);
      }
    } finally {
      giveBack();
      end();
    }
  };
}

/** Counts the requests of each organization, so that many callers of one organization cannot take all slots. */
function sharesOf(max: number, refused: () => void) {
  const taken = namedCounts();
  return {
    /**
     * Counts a request for one organization of the caller: the organization with the fewest running requests.
     * @throws ProblemError 429
     */
    take: (organizations: readonly string[] | undefined): (() => void) => {
      const [organization] = (organizations ?? []).toSorted((one, other) => taken.of(one) - taken.of(other));
      if (organization === undefined) return () => undefined;
      if (taken.of(organization) >= max) {
        refused();
        throw tooManyOfOrganization;
      }
      taken.change(organization, 1);
      return () => taken.change(organization, -1);
    },
  };
}

function whenGone(response: ServerResponse): Readonly<{ signal: AbortSignal; end: () => void }> {
  const gone = new AbortController();
  const abort = () => gone.abort(new ClientGone());
  if (response.destroyed) abort();
  response.once('close', abort);
  return { signal: gone.signal, end: () => response.off('close', abort) };
}

const AGAIN_SECONDS = 2;
const noSlot = retryLater(
  'busy',
  'Other callers already have the maximum number of running requests of this kind.',
  AGAIN_SECONDS,
);
const tooManyOfCaller = new ProblemError(
  429,
  'too-many-at-once',
  'You already have the maximum number of running requests of this kind. Retry when one of them has ended.',
  {},
  { 'Retry-After': String(AGAIN_SECONDS) },
);
const tooManyOfOrganization = new ProblemError(
  429,
  'too-many-at-once',
  'The callers of your organization already have the maximum number of running requests of this kind. Retry when one of them has ended.',
  {},
  { 'Retry-After': String(AGAIN_SECONDS) },
);
