import type { Folded } from '@charter/decider';
import {
  heldPlans,
  initial,
  evolve,
  type Organization,
  organizationStreamPrefix,
  stateVersion,
} from '@charter/organization';
import { plansOf } from './public-document';

/** The read model stores the state of the write model. Both use the same `evolve`, so they cannot differ. */
export const organizationView = {
  name: 'organizations',
  version: stateVersion,
  listedSince: 2, // the oldest version with these rows
  prefixes: [organizationStreamPrefix],
  initial,
  evolve,
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

/** Lists are filtered by these tags: a held plan such as `second/solo`, and a member. */
export const planTag = (plan: string): string => `plan:${plan}`;
export const memberTag = (member: string): string => `member:${member}`;

/** Marks an override that will end, so that its end can be recorded. */
export const endingOverrideTag = 'override-ends';
