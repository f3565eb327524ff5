import { LogError } from '../../errors';
import { type Delivery, EMPTY_LOG_POSITION, type Position } from '../../port';
import type { ServerCalls } from '../calls';
import type { LiveSubscription } from './live-subscription';
import { headOf, pagesOfAll } from '../pages';

/** Looks for itself how far the log goes, while a subscription brings nothing. */
export type EndProbe = Readonly<{
  /** What can be told although nothing came. @throws LogError `unavailable` when the server keeps an event to itself */
  probe: (live: LiveSubscription) => Promise<readonly Delivery[]>;
}>;

/**
 * A server says that the end was reached only after an event that was asked for, tells of others rarely, and may fall
 * silent for ever (`event-log.md` A5, B). So whoever waits reads up to the end: nothing there means that the end was
 * reached; something there has to come soon, or the subscription is dead.
 * @param after the event after which the subscription began; none: at the start
 */
export function endProbe(calls: ServerCalls, after: Position | undefined, streamPrefixes: readonly string[]): EndProbe {
  let seen = after;
  let wasTold = false;
  let owed: Readonly<{ taken: number; since: number }> | undefined;

  const isQuiet = (live: LiveSubscription, taken: number) => live.taken() === taken && live.isIdle();
  const toldOf = (head: Position, isFurther: boolean): readonly Delivery[] => {
    const told: Delivery[] = isFurther ? [{ kind: 'checkpoint', position: head }] : [];
    if (!wasTold) told.push({ kind: 'caught-up' });
    wasTold = true;
    return told;
  };

  return {
    probe: async (live) => {
      wasTold ||= live.wasCaughtUp();
      const taken = live.taken();
      seen = furtherOf(seen, live.reached());
      const head = await headOf(calls);
      if (head <= (seen ?? EMPTY_LOG_POSITION)) return isQuiet(live, taken) ? toldOf(head, false) : [];
      const isOwed = await hasMore(calls, seen, head, streamPrefixes);
      if (!isQuiet(live, taken)) return [];
      if (!isOwed) {
        seen = head;
        owed = undefined;
        return toldOf(head, true);
      }
      if (owed?.taken !== taken) owed = { taken, since: performance.now() };
      if (performance.now() - owed.since > calls.ms)
        throw new LogError('unavailable', 'The subscription brings nothing, although there is something.');
      return [];
    },
  };
}

const furtherOf = (one: Position | undefined, other: Position | undefined) =>
  (one ?? EMPTY_LOG_POSITION) < (other ?? EMPTY_LOG_POSITION) ? other : one;

/** Whether anything that was asked for lies after one position, up to another. */
async function hasMore(
  calls: ServerCalls,
  after: Position | undefined,
  head: Position,
  streamPrefixes: readonly string[],
) {
  for await (const page of pagesOfAll(calls, { from: after ?? 'start', streamPrefixes })) {
    for (const { position } of page) {
      if (position > head) return false;
      if (position > (after ?? EMPTY_LOG_POSITION)) return true;
    }
  }
  return false;
}
