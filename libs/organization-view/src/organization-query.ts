import type { Folded, Moment } from '@charter/decider';
import type { Organization } from '@charter/organization';

/** A question about one organization at one moment. Pure, worked out on every read, so a new answer needs no rebuild. */
export type OrganizationQuery<Answer> = (organization: Folded<Organization>, at: Moment) => Answer;
