import type { Lease } from '@charter/projections';
import type { Runtime } from '../process/runtime';

/** How often messages are looked for that were received and never settled. */
const LOOK_MS = 2_000;

/**
 * Goes on with what was received and never settled, because whoever was at it died, a store was away, or Stripe gave no answer
 * (`acceptance.md` K6, K10): at start, and from then on, while the lease is ours. It saves work; what keeps two processes from
 * applying one message twice is the ids of its commands.
 */
export function retryUnfinishedMessages(
  { billing, logger, stopping }: Pick<Runtime, 'billing' | 'logger' | 'stopping'>,
  lease: Lease,
): { stop: () => Promise<void> } {
  let underWay: Promise<void> | undefined;
  const look = async () => {
    try {
      if (await lease.hold()) while (!stopping() && (await billing.goOn(stopping)) > 0);
    } catch (error) {
      if (!stopping()) logger.warn({ why: String(error) }, 'billing messages could not be gone on with yet');
    }
  };
  billing.customersFollowed().catch((error: unknown) => {
    if (!stopping()) logger.warn({ why: String(error) }, 'linked customers could not be followed yet');
  });
  const begin = () => void (underWay ??= look().finally(() => (underWay = undefined)));
  begin();
  const timer = setInterval(begin, LOOK_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await underWay;
    },
  };
}
