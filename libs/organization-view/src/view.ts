import type { Folded } from '@charter/decider';
import { heldPlans, initial, evolve, type Organization, organizationStreamPrefix } from '@charter/organization';
import { plansOf } from './public-document';

/** The read model is the write model, kept. The same `evolve`, so the two cannot disagree. */
export const organizationView = {
  name: 'organizations',
  version: 2, // `test/projections/view-version.spec.ts` demands another one when documents change
  listedSince: 2,
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

/** By what lists are filtered: a plan that is held, such as `second/solo`, and who is a member. */
export const planTag = (plan: string): string => `plan:${plan}`;
export const memberTag = (member: string): string => `member:${member}`;

/** An override that will end, and whose end must then be recorded. */
export const endingOverrideTag = 'override-ends';
