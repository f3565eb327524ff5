import type { Lease } from '@charter/projections';
import type { Lifecycle } from '../process/parts/lifecycle';
import type { Observability } from '../process/parts/observability';
import type { Background } from '../process/parts/background';

/** The interval, in milliseconds, at which the process looks for messages that were received and not applied. */
const POLL_MS = 2_000;

/**
 * Applies messages that were received and not applied, because a process crashed, a store was unreachable, or Stripe
 * did not answer (`acceptance.md` K6, K10). Runs at the start and then at intervals, while this process holds the
 * lease. The lease for billing messages only avoids double work. Even without the lease, no message is applied twice:
 * Charter derives the command ids from the message, and executes a command id only once. Every process also reads the
 * linked customers from the event log, at the start and, after a failure, at the next interval.
 */
export function retryUnfinishedMessages(
  { billing, logger, stopping }: Lifecycle & Pick<Observability, 'logger'> & Pick<Background, 'billing'>,
  lease: Lease,
): { stop: () => Promise<void> } {
  const warn = (what: string) => (error: unknown) => {
    if (!stopping()) logger.warn({ why: String(error) }, what);
  };
  const applyAllDue = async () => {
    if (await lease.hold()) while (!stopping() && (await billing.applyDue(stopping)) > 0);
  };
  const applying = unlessRunning(() =>
    applyAllDue().catch(warn('unfinished billing messages could not be applied yet')),
  );
  const following = unlessRunning(() =>
    billing.customersFollowed().catch(warn('linked customers could not be read from the event log yet')),
  );
  const poll = () => {
    applying.begin();
    following.begin();
  };
  poll();
  const timer = setInterval(poll, POLL_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await applying.ended(); // not `following`, which may read a long log, and which the next start repeats
    },
  };
}

/** Begins work only if the previous run of the same work has ended. */
function unlessRunning(work: () => Promise<unknown>) {
  let running: Promise<unknown> | undefined;
  return {
    begin: () => void (running ??= work().finally(() => (running = undefined))),
    ended: async () => {
      await running;
    },
  };
}
