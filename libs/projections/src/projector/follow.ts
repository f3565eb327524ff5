import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@charter/decider';
import { believe } from '../checkpoint-validation';
import { gather } from './batching';
import { type Following, stepsOf } from './projector';

/**
 * Folds the log into one live edition while the lease is ours: events in batches, each batch one commit.
 * Returns when it was told to stop, lost the lease, or the edition is live no longer.
 * @throws Overtaken, and whatever the log or the store throws: nothing is parked for their failures
 */
export async function follow<Draft, Event extends Message>(following: Following<Draft, Event>): Promise<void> {
  const { log, edition, view, options, signal, become } = following;
  const { batchMax = 2000, pace = 20, lease, now } = options;
  let orders = await edition.standing();
  let lookedAt = now();
  await believe(log, orders.checkpoint);
  const { checkpoint, parked } = orders;
  become({ checkpoint, parked, why: undefined, caughtUp: false });

  const steps = stepsOf(following, orders, await log.identity());
  const after = checkpoint?.lastEvent ? checkpoint : 'start'; // a bare position is nothing to resume from
  const deliveries = gather(log.subscribe({ after, streamPrefixes: view.prefixes }), batchMax, signal);
  try {
    while (!signal.aborted && (await lease.hold())) {
      if (now() - lookedAt >= LOOK) {
        orders = await edition.standing();
        lookedAt = now();
      }
      if (orders.place !== 'live') return;
      become({ phase: orders.paused ? 'paused' : 'running' });
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
