import { setImmediate as yieldToEventLoop, setTimeout as pause } from 'node:timers/promises';
import type { Message } from '@charter/decider';
import { validateCheckpoint } from '../checkpoint-validation';
import { readBatches } from './batching';
import { type ProjectorContext, projectorSteps } from './projector';

/**
 * Folds the log into the live edition while this process holds the lease. The projector takes events in batches and
 * commits once for each batch. Returns when the signal aborts, the lease is lost, or the edition is no longer live.
 * @throws Overtaken, and errors of the log or the store; these errors park no stream
 */
export async function runProjector<Draft, Event extends Message>(
  context: ProjectorContext<Draft, Event>,
): Promise<void> {
  const { log, edition, view, options, signal, updateState } = context;
  const { batchMax = 2000, pace = 10, lease, elapsed } = options;
  let status = await edition.status();
  let readAt = elapsed();
  await validateCheckpoint(log, status.checkpoint);
  const { checkpoint, parked } = status;
  updateState({ checkpoint, parked, why: undefined, caughtUp: false });

  const steps = projectorSteps(context, status, await log.identity());
  const after = checkpoint?.lastEvent ? checkpoint : 'start'; // never resumes after a position without an event
  const deliveries = readBatches(log.subscribe({ after, streamPrefixes: view.prefixes }), batchMax, signal);
  try {
    while (!signal.aborted && (await lease.hold())) {
      if (elapsed() - readAt >= READ_MS) {
        status = await edition.status();
        readAt = elapsed();
      }
      if (status.place !== 'live') return;
      updateState({ phase: status.paused ? 'paused' : 'running' });
      if (status.paused) {
        await pause(READ_MS);
        continue;
      }
      await steps.repair(status.released);
      status = { ...status, released: none }; // the projector answers each release only once
      const batch = await deliveries.next(READ_MS);
      const live = batch.length > 0 && (await steps.take(batch));
      await (live && batch.length < batchMax ? pause(pace) : yieldToEventLoop());
    }
  } finally {
    await deliveries.close();
  }
}

const none: ReadonlyMap<string, number> = new Map();

/** The interval, in milliseconds, at which the projector reads requests of other processes: pauses and releases. */
const READ_MS = 250;
