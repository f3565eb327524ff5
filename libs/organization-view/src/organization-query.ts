import type { Folded, Moment } from '@charter/decider';
import type { Organization } from '@charter/organization';

/**
 * A query about one organization at one moment: a pure function of the state. Charter runs the query at every read, so
 * a new query needs no rebuild of the read model.
 */
export type OrganizationQuery<Answer> = (organization: Folded<Organization>, at: Moment) => Answer;
