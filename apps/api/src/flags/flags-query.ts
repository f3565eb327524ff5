import type { Charter } from '@charter/application';
import type { Moment } from '@charter/decider';
import { evaluateFlags, type Flag, type FlagSubject, type OrganizationQuery } from '@charter/organization-view';

/** All flags of a subject, and the revision from which they were computed. */
export type EvaluatedFlags = Readonly<{ flags: readonly Flag[]; revision: number }>;

type FoundFlags = Readonly<{
  /** Undefined if the organization has no such subject. */
  flags: readonly Flag[] | undefined;
  revision: number;
  /** The moment at which an override ends, and with it the validity of the flags; null if there is no such moment. */
  until: Moment | null;
}>;

/** The query for all flags of a subject. */
export const flagsQuery =
  (subject: FlagSubject, { publicUrl }: Pick<Charter['settings'], 'publicUrl'>): OrganizationQuery<FoundFlags> =>
  ({ state, revision }, at) => ({
    flags: evaluateFlags(subject, state, at, `${publicUrl}/org/${subject.organization}`),
    revision,
    until: state.override?.until ?? null,
  });
