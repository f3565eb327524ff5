import type { Moment } from '@charter/decider';
import type { Position } from '@charter/event-log';
import {
  exportStream,
  type StreamExportSummary,
  exportLog,
  assertStreamReaches,
  signStreamCheckpoint,
  type LogChecksum,
} from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import type { Charter } from '../charter';
import { foldedStreams, foldedEventCount, missingEndReason, LogIncomplete } from './verify-read-model';
import { storedHeads, lastSignedCheckpoint } from './signed-checkpoints';
import { signedStreamOf } from './signed-head';

type Stores = Pick<Charter, 'log' | 'view' | 'database' | 'signer'>;

/**
 * Exports the history of an organization as JSON lines. The last line contains a signed checkpoint. Throws if the
 * history contradicts the last signed checkpoint, or if the log has fewer events of the organization than the read
 * model has folded.
 * @throws BrokenChain, SignedHeadsInvalid; LogError `not-found`; the reason of `gone`
 */
export async function* exportOrganization(
  { log, view, database, signer }: Stores,
  id: string,
  at: Moment,
  gone: AbortSignal,
): AsyncGenerator<string, StreamExportSummary, undefined> {
  const stream = organizationStream(id);
  const last = await signedStreamOf({ database, signer }, stream);
  const seen = await foldedEventCount({ log, view }, stream);
  return yield* exportStream(log, stream, signer, at, { gone, signed: last?.head, seen });
}

/**
 * Signs a checkpoint over the head of an organization's history (the hash of the last event). Verifies only the events
 * after the last signed checkpoint over the whole log.
 * @throws BrokenChain, SignedHeadsInvalid; LogError `not-found`; the reason of `gone`
 */
export async function signOrganizationCheckpoint(
  { log, view, database, signer }: Stores,
  id: string,
  at: Moment,
  gone: AbortSignal,
): Promise<string> {
  const stream = organizationStream(id);
  const last = await signedStreamOf({ database, signer }, stream);
  const seen = await foldedEventCount({ log, view }, stream);
  return signStreamCheckpoint(log, stream, signer, {
    ...{ at, path: `organizations/${id}`, gone },
    ...{ signed: last?.head, seen },
  });
}

/**
 * Exports the whole log as JSON lines. The last line contains a signed checkpoint.
 * @throws BrokenChain, SignedHeadsInvalid, LogIncomplete; the errors that `onEvent` throws
 */
export async function* exportWholeLog(
  stores: Stores,
  at: Moment,
  onEvent: (events: number, position: Position) => void,
): AsyncGenerator<string, LogChecksum, undefined> {
  const { log, database, signer } = stores;
  const checkpoint = await lastSignedCheckpoint(stores);
  const signed = checkpoint && { ...checkpoint, heads: () => storedHeads(database) };
  const mustBeWhole = async (eventsOf: (stream: string) => number) => {
    for await (const { stream, events } of foldedStreams(stores))
      // The read model may have folded more events than the export contains. If the log contains the additional events,
      // the stream has grown during the export, and there is no error.
      if (events > eventsOf(stream)) await assertStreamReaches(log, stream, events);
    const lost = await missingEndReason(stores);
    if (lost !== undefined) throw new LogIncomplete(lost);
  };
  return yield* exportLog(log, signer, at, { onEvent, signed, mustBeWhole });
}
