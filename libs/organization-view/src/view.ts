import type { Folded } from '@charter/decider';
import {
  eventFlaw,
  heldPlans,
  initial,
  evolve,
  type Organization,
  organizationStreamPrefix,
  stateVersion,
} from '@charter/organization';
import { plansOf } from './public-document';
import { termsTag } from './terms-tag';

/**
 * The read model of organizations. The read model stores the same state as the write model, and both fold events with
 * the same `evolve`. The states of the read model and the write model therefore cannot differ.
 */
export const organizationView = {
  name: 'organizations',
  version: stateVersion,
  listedSince: 5, // the oldest version whose list rows equal the list rows of this version
  prefixes: [organizationStreamPrefix],
  initial,
  evolve,
  flawOf: eventFlaw,
  row: ({ state }: Folded<Organization>) =>
    state.name === ''
      ? undefined
      : {
          name: state.name,
          tags: [
            ...heldPlans(state).flatMap((held) => [planTag(`${held.line}/${held.plan}`), termsTag(held)]),
            ...Object.keys(state.members).map(memberTag),
            ...(state.override?.until == null ? [] : [endingOverrideTag]),
            ...(Object.values(state.emailDomains).some(({ proven }) => proven) ? [provenDomainTag] : []),
          ],
          columns: { plans: plansOf(state) },
        },
};

/**
 * The tags by which lists filter organizations: a plan that the organization holds, such as `second/solo`, or a member.
 */
export const planTag = (plan: string): string => `plan:${plan}`;
export const memberTag = (member: string): string => `member:${member}`;

/**
 * The tag of an organization with an override that will end. The process finds organizations with an override by the
 * tag, and records the end of the override when its moment has passed.
 */
export const endingOverrideTag = 'override-ends';

/** The tag of an organization that has proven an e-mail domain. The process finds the domains to check by the tag. */
export const provenDomainTag = 'proven-domain';
