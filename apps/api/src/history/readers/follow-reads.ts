import { type Charter, createReadsProjector } from '@charter/application';
import type { Lease } from '@charter/projections';
import type { Lifecycle } from '../../process/parts/lifecycle';
import type { Observability } from '../../process/parts/observability';

/**
 * The interval, in milliseconds, at which new reads are added to the list of people and API keys that have read
 * histories.
 */
const EVERY_MS = 2_000;

/**
 * Keeps up to date the list that shows who has read histories. Only the process with the lease for projections updates
 * the list. A pause of the projector does not stop the updates, because the list is not part of the read model.
 */
export function followReads(
  runtime: Pick<Charter, 'log' | 'database'> & Lifecycle & Pick<Observability, 'logger' | 'counts'>,
  lease: Lease,
): { stop: () => Promise<void> } {
  const { logger, counts, stopping } = runtime;
  const projector = createReadsProjector(runtime);
  let running: Promise<void> | undefined;
  const follow = async () => {
    try {
      if (!stopping() && (await lease.hold())) await projector.catchUp(stopping);
    } catch (error) {
      if (stopping()) return;
      counts.trouble('readers');
      logger.warn({ why: String(error) }, 'new readers of histories could not be added yet');
    }
  };
  const timer = setInterval(() => {
    running ??= follow().finally(() => (running = undefined));
  }, EVERY_MS).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
