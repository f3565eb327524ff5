import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@charter/decider';
import { validateCheckpoint } from '../checkpoint-validation';
import { readBatches } from './batching';
import { type ProjectorContext, projectorSteps } from './projector';

/**
 * Folds the log into one live edition while the lease is ours: events in batches, each batch one commit.
 * Returns when it was told to stop, lost the lease, or the edition is live no longer.
 * @throws Overtaken, and whatever the log or the store throws: nothing is parked for their failures
 */
export async function runProjector<Draft, Event extends Message>(
  following: ProjectorContext<Draft, Event>,
): Promise<void> {
  const { log, edition, view, options, signal, updateState } = following;
  const { batchMax = 2000, pace = 20, lease, now } = options;
  let orders = await edition.status();
  let lookedAt = now();
  await validateCheckpoint(log, orders.checkpoint);
  const { checkpoint, parked } = orders;
  updateState({ checkpoint, parked, why: undefined, caughtUp: false });

  const steps = projectorSteps(following, orders, await log.identity());
  const after = checkpoint?.lastEvent ? checkpoint : 'start'; // a bare position is nothing to resume from
  const deliveries = readBatches(log.subscribe({ after, streamPrefixes: view.prefixes }), batchMax, signal);
  try {
    while (!signal.aborted && (await lease.hold())) {
      if (now() - lookedAt >= LOOK) {
        orders = await edition.status();
        lookedAt = now();
      }
      if (orders.place !== 'live') return;
      updateState({ phase: orders.paused ? 'paused' : 'running' });
      if (orders.paused) {
        await pause(LOOK);
        continue;
      }
      await steps.repair(orders.released);
      orders = { ...orders, released: none }; // what was asked is answered once
      const batch = await deliveries.next(LOOK);
      const live = batch.length > 0 && (await steps.take(batch));
      await (live && batch.length < batchMax ? pause(pace) : breathe());
    }
  } finally {
    await deliveries.close();
  }
}

const none: ReadonlyMap<string, number> = new Map();

/** How often orders from other processes are looked at, in milliseconds. */
const LOOK = 100;
