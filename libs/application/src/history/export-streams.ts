import type { Moment } from '@charter/decider';
import type { Position } from '@charter/event-log';
import { exportOf, type Exported, linesOf, mustReach, type Sum } from '@charter/integrity';
import { organizationStream } from '@charter/organization';
import type { Charter } from '../charter';
import { documentsOf, eventsFolded, lostEnd, NotWhole } from './verify-read-model';
import { headsKept, lastSigned } from './signed-checkpoints';
import { signedOf } from './signed-head';

type Stores = Pick<Charter, 'log' | 'view' | 'documents' | 'signer'>;

/**
 * The history of an organization as lines, with a signed checkpoint at its end; nothing is signed that is not, or no longer,
 * what was signed last, or shorter than the read model has folded it.
 * @throws Broken, NotBelieved; LogError `not-found`; why `gone` fired
 */
export async function* exportOne(
  { log, view, documents, signer }: Stores,
  id: string,
  at: Moment,
  gone: AbortSignal,
): AsyncGenerator<string, Exported, undefined> {
  const stream = organizationStream(id);
  const last = await signedOf({ documents, signer }, stream);
  const seen = await eventsFolded({ log, view }, stream);
  return yield* exportOf(log, stream, signer, at, { gone, signed: last?.head, seen });
}

/** The whole log in the same way. @throws Broken, NotBelieved, NotWhole; what `onEvent` throws */
export async function* exportAll(
  stores: Stores,
  at: Moment,
  onEvent: (events: number, position: Position) => void,
): AsyncGenerator<string, Sum, undefined> {
  const { log, documents, signer } = stores;
  const checkpoint = await lastSigned(stores);
  const signed = checkpoint && { ...checkpoint, heads: () => headsKept(documents) };
  const mustBeWhole = async (eventsOf: (stream: string) => number) => {
    for await (const { stream, events } of documentsOf(stores))
      if (events > eventsOf(stream)) await mustReach(log, stream, events); // or it was told meanwhile
    const lost = await lostEnd(stores);
    if (lost !== undefined) throw new NotWhole(lost);
  };
  return yield* linesOf(log, signer, at, { onEvent, signed, mustBeWhole });
}
