import type { Moment } from '@charter/decider';
import { exportOf, type Exported, linesOf, type Position, type Sum } from '@charter/event-log';
import { organizationStream } from '@charter/organization';
import type { Charter } from './charter';
import { lastSigned } from './signed';
import { signedOf } from './signed-head';

type Stores = Pick<Charter, 'log' | 'documents' | 'signer'>;

/**
 * The history of an organization as lines, with a signed checkpoint at its end; nothing is signed that is not, or no longer,
 * what was signed last.
 * @throws Broken, NotBelieved; LogError `not-found`; why `gone` fired
 */
export async function* exportOne(
  { log, documents, signer }: Stores,
  id: string,
  at: Moment,
  gone: AbortSignal,
): AsyncGenerator<string, Exported, undefined> {
  const stream = organizationStream(id);
  const last = await signedOf({ documents, signer }, stream);
  return yield* exportOf(log, stream, signer, at, { gone, signed: last?.head });
}

/** The whole log in the same way. @throws Broken, NotBelieved; what `onEvent` throws */
export async function* exportAll(
  { log, documents, signer }: Stores,
  at: Moment,
  onEvent: (events: number, position: Position) => void,
): AsyncGenerator<string, Sum, undefined> {
  const last = await lastSigned({ documents, signer });
  return yield* linesOf(log, signer, at, onEvent, last?.heads);
}
