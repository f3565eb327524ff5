import { LogError } from '../../errors';
import { type Delivery, EMPTY_LOG_POSITION, type Position } from '../../port';
import type { ServerCalls } from '../calls';
import type { LiveSubscription } from './live-subscription';
import { headOf, serverPagesOfAll } from '../pages';

/** Finds the end of the log by reads while a subscription delivers nothing. */
export type EndProbe = Readonly<{
  /**
   * Reads up to the end of the log. Returns a checkpoint, a `caught-up`, both, or no delivery.
   * @throws LogError `unavailable` if the server withholds an event
   */
  probe: (live: LiveSubscription) => Promise<readonly Delivery[]>;
}>;

/**
 * While no event matches the filter, a server can delay its report that the subscription has reached the end of the
 * log. The server reports positions rarely, and may stop delivering without an error (`event-log.md` A5, B). While a
 * subscription waits, the probe therefore also reads up to the end of the log. If the read finds no matching event, the
 * subscription is at the end. If the read finds a matching event, the subscription must deliver that event within the
 * time limit; otherwise the probe fails.
 * @param after the event after which the subscription began; `undefined` if it began at the start of the log
 */
export function endProbe(calls: ServerCalls, after: Position | undefined, streamPrefixes: readonly string[]): EndProbe {
  let seen = after;
  let isCaughtUp = false;
  let missing: Readonly<{ taken: number; since: number }> | undefined;

  const isQuiet = (live: LiveSubscription, taken: number) => live.taken() === taken && live.isIdle();
  const deliveriesAt = (head: Position, isFurther: boolean): readonly Delivery[] => {
    const deliveries: Delivery[] = isFurther ? [{ kind: 'checkpoint', position: head }] : [];
    if (!isCaughtUp) deliveries.push({ kind: 'caught-up' });
    isCaughtUp = true;
    return deliveries;
  };

  return {
    probe: async (live) => {
      isCaughtUp ||= live.wasCaughtUp();
      const taken = live.taken();
      seen = furtherOf(seen, live.reached());
      const head = await headOf(calls);
      if (head <= (seen ?? EMPTY_LOG_POSITION)) return isQuiet(live, taken) ? deliveriesAt(head, false) : [];
      const isMissing = await hasMore(calls, seen, head, streamPrefixes);
      if (!isQuiet(live, taken)) return [];
      if (!isMissing) {
        seen = head;
        missing = undefined;
        return deliveriesAt(head, true);
      }
      if (missing?.taken !== taken) missing = { taken, since: performance.now() };
      if (performance.now() - missing.since > calls.ms)
        throw new LogError('unavailable', 'The server withholds an event from the subscription.');
      return [];
    },
  };
}

const furtherOf = (one: Position | undefined, other: Position | undefined) =>
  (one ?? EMPTY_LOG_POSITION) < (other ?? EMPTY_LOG_POSITION) ? other : one;

/** Whether a matching event exists after the position `after` and up to `head`. */
async function hasMore(
  calls: ServerCalls,
  after: Position | undefined,
  head: Position,
  streamPrefixes: readonly string[],
) {
  for await (const page of serverPagesOfAll(calls, { from: after ?? 'start', streamPrefixes })) {
    for (const { position } of page) {
      if (position > head) return false;
      if (position > (after ?? EMPTY_LOG_POSITION)) return true;
    }
  }
  return false;
}
