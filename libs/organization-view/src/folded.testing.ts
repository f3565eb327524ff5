import { fold, type Folded, recorded, type Recorded } from '@charter/decider';
import type { Organization, OrganizationDraft, OrganizationEvent } from '@charter/organization';
import { founded, now, operator } from '../../organization/src/testing/organization.testing';
import { organizationView } from './view';

/** The events in the form in which the event log returns them, each with the given moment. */
export const recordedAt = (
  events: readonly (readonly [at: string, event: OrganizationEvent])[],
): readonly Recorded<OrganizationEvent>[] =>
  events.flatMap(([at, event], revision) => recorded([event], { actor: operator, at }, revision));

/** The state of an organization with the name Acme after these events, which all have the same moment. */
export const foldedAcme = (...events: OrganizationEvent[]): Folded<Organization> =>
  foldedTo(recordedAt([founded, ...events].map((event) => [now, event])));

export const foldedTo = (events: readonly Recorded<OrganizationEvent>[]): Folded<OrganizationDraft> =>
  fold(organizationView, events);
