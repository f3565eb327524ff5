import type { Folded, Moment } from '@charter/decider';
import type { Organization } from '@charter/organization';

/** A query about one organization at one moment. It is pure and runs on every read, so a new query needs no rebuild. */
export type OrganizationQuery<Answer> = (organization: Folded<Organization>, at: Moment) => Answer;
