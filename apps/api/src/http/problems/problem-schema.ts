import { each, entries, Offer } from '@charter/organization';
import { Because } from '@charter/organization-view';
import { problemReasons, problemTypeOf } from '@charter/problems';
import { z } from 'zod';
import { changedEffect, UnsoldCommands } from '../../organizations/previews/previews.answers';

/**
 * The additional JSON fields (facts) that a problem document may contain. The specs fail if a problem document contains
 * any other additional field.
 */
const facts = {
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  index: z.int().min(0).meta({ description: 'The position of the refused command in the list of commands, from 0' }),
  revision: z.int(),
  last: z.int(),
  limit: z.string(),
  allowed: z.number().nullable(),
  used: z.int(),
  requested: z.int(),
  hard: z.number().nullable(),
  because: z.union([Because, z.string()]).meta({
    description: 'The reasons of a limit or of a feature that is off; for a refused password, the reason in one word',
  }),
  feature: z.string(),
  today: z.array(Offer).meta({ description: "The offers of today's catalogue that would turn the feature on" }),
  line: z.string(),
  plan: z.string(),
  addOn: z.string(),
  known: z.array(z.string()).meta({ description: 'All plans or add-ons that are for sale' }),
  purchase: z.string(),
  ...each(entries, () => z.string()), // the id of an entry, for example of a site
  hostname: z.string(),
  month: z.string(),
  role: z.string(),
  effectiveAt: z.string(),
  until: z.string(),
  organizations: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  state: z.string(),
  provider: z.string(),
  customer: z.string(),
  at: z.int(),
  why: z.string(),
  takes: z.array(z.string()).meta({ description: 'The roles and scopes; the caller needs one of them' }),
  items: UnsoldCommands.meta({
    description: 'The commands that a checkout cannot sell, by their position in the list',
  }),
  was: z.string().meta({ description: 'The digest `shown` that the request contains' }),
  ...changedEffect,
};

/** A problem document (RFC 9457). Problems of some types contain further facts. */
export const Problem = z
  .strictObject({
    type: z
      .enum(problemReasons.map((reason) => problemTypeOf(reason).type))
      .meta({ description: 'The type of the problem, for programs: /problems/<reason>' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'The problem in a sentence, for people' }),
    instance: z.string().meta({ description: 'The id of the request' }),
    ...(Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, fact.exactOptional()])) as {
      [Fact in keyof typeof facts]: z.ZodExactOptional<(typeof facts)[Fact]>;
    }),
  })
  .meta({
    id: 'Problem',
    examples: [
      {
        type: '/problems/malformed',
        title: 'The request has a wrong form',
        status: 400,
        detail: 'name: is missing',
        instance: 'a5c2d4a6-3f60-4a55-9d15-6b6d6f0c8a01',
        errors: [{ path: 'name', message: 'is missing' }],
      },
    ],
  });
