import type { StoredEvent } from '@charter/event-log';
import { entitles, isEventType } from '@charter/organization';

/** Whether an event can change the answer with the entitlements, which also contains the traffic. */
export const mayChangeEntitlements = ({ type }: Pick<StoredEvent, 'type'>) =>
  !isEventType(type) || entitles({ type }) || type === 'TrafficReported';

/**
 * Whether the entitlements may have changed and changed back between two revisions. A client that read them in between
 * has other values, although both revisions have the same values.
 * @param events the events that are known. The read model may already contain later events, so each later revision
 * counts as a change.
 */
export function mayHaveChangedBack(events: readonly StoredEvent[], from: number, to: number): boolean {
  const known = events.filter((event) => event.revision > from && mayChangeEntitlements(event));
  const last = Math.max(from, Number(events.at(-1)?.revision ?? from));
  return known.length + Math.max(0, to - last) > 1;
}
