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

/**
 * The read model stores the same state as the write model. Both fold it with the same `evolve`, so they cannot differ.
 */
export const organizationView = {
  name: 'organizations',
  version: stateVersion,
  listedSince: 2, // the oldest version whose rows are equal to these
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
            ...heldPlans(state).map(({ line, plan }) => planTag(`${line}/${plan}`)),
            ...Object.keys(state.members).map(memberTag),
            ...(state.override?.until == null ? [] : [endingOverrideTag]),
          ],
          columns: { plans: plansOf(state) },
        },
};

/** Lists are filtered by these tags: a plan that the organization holds, such as `second/solo`, and a member. */
export const planTag = (plan: string): string => `plan:${plan}`;
export const memberTag = (member: string): string => `member:${member}`;

/** Marks an organization with an override that will end, so that the process finds it and records the end. */
export const endingOverrideTag = 'override-ends';
