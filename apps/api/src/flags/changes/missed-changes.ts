import type { Charter } from '@charter/application';
import type { Position, StoredEvent } from '@charter/event-log';
import { organizationIdOf } from '@charter/organization';
import type { ChangeSource } from '../../history/feed/change-source';
import { feedCursor } from '../../history/feed/feed-cursor';
import type { EventVisibility } from '../../history/feed/visibility';
import { ProblemError } from '../../http/problems/problem';
import type { OrganizationAccess } from '../../process/parts/organization-access';
import { mayChangeEntitlements } from './changed-back';
import { changeKeys, type EntitlementChange } from './changed-keys';
import { readModelContains } from './read-model-contains';

/** The changes since a position that a caller may see, and the end of the read. */
export type MissedChanges = Readonly<{
  changes: readonly EntitlementChange[];
  position: Position | undefined;
  /** The cursor of the last event before all events of parked streams; undefined if the read found no such event. */
  cursor: string | undefined;
  /** Whether the documents contain all these events. The documents of parked streams lack some events. */
  isComplete: boolean;
}>;

/** If more events come after the cursor, the answer is 409, and the client reads all its organizations again. */
const MISSED_EVENTS_MAX = 5_000;

/**
 * Finds the organizations whose entitlements may have changed since a position. Each change names every key, because a
 * comparison would replay the stream of each organization.
 * @throws ProblemError 409 `unknown-checkpoint` if there are more than `MISSED_EVENTS_MAX` events, 503 `not-yet`
 */
export async function readMissedChanges(
  { log, projection }: Pick<Charter, 'log'> & Pick<OrganizationAccess, 'projection'>,
  source: ChangeSource,
  after: Position | undefined,
  { sees }: EventVisibility,
): Promise<MissedChanges> {
  const newest = new Map<string, bigint>();
  const previous = new Map<string, StoredEvent | undefined>(); // the event before the first event of each stream
  let [last, events]: [StoredEvent | undefined, number] = [undefined, 0];
  for await (const event of source(after)) {
    if ((events += 1) > MISSED_EVENTS_MAX) throw tooManyEvents();
    if (!previous.has(event.stream)) previous.set(event.stream, last);
    last = event;
    if (mayChangeEntitlements(event) && (await sees(event))) newest.set(event.stream, event.revision);
  }
  if (!last) return { changes: [], position: after, cursor: undefined, isComplete: true };
  await readModelContains(projection, last.position);
  const changes = [...newest].map(([stream, revision]) => ({
    ...{ organization: organizationIdOf(stream), revision: Number(revision), keys: changeKeys },
  }));
  const { parked } = projection.now();
  const firstParked = [...previous].find(([stream]) => parked.has(stream)); // in the order of the events
  const resumable = firstParked ? firstParked[1] : last;
  const cursor = resumable && feedCursor(await log.identity(), resumable);
  return { changes, position: last.position, cursor, isComplete: !firstParked };
}

const tooManyEvents = () =>
  new ProblemError(
    409,
    'unknown-checkpoint',
    `More than ${MISSED_EVENTS_MAX} events come after the cursor. Begin again without a cursor, and read the entitlements again.`,
  );
