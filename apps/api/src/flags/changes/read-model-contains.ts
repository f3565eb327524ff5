import type { Position } from '@charter/event-log';
import { retryLater } from '../../http/problems/problem';
import type { OrganizationAccess } from '../../process/parts/organization-access';

/** Waits until the read model contains the events up to a position. @throws ProblemError 503 `not-yet` after 2 s */
export async function readModelContains(
  { whenProcessed }: Pick<OrganizationAccess['projection'], 'whenProcessed'>,
  position: Position,
): Promise<void> {
  await whenProcessed(position, { timeout: WAIT_MS }).catch(() => {
    throw retryLater('not-yet', 'The read model does not contain the newest events yet.');
  });
}

/** The number of milliseconds for which the function waits for the read model. */
const WAIT_MS = 2_000;
