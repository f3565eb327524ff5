import type { Folded, Moment } from '@charter/decider';
import type { Organization } from '@charter/organization';

/**
 * A query about one organization at one moment. It is a pure function of the state and runs at every read, so a new
 * query needs no rebuild.
 */
export type OrganizationQuery<Answer> = (organization: Folded<Organization>, at: Moment) => Answer;
