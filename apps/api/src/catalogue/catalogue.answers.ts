import { ProductLine, Terms } from '@charter/organization';
import { z } from 'zod';

/** The text of a catalogue file. The schema sets no maximum length, because a request body has at most 100 KiB. */
export const CatalogueText = z.strictObject({
  text: z.string().meta({ description: "The text of a catalogue's file, as `CATALOGUE_FILE` would contain it" }),
});

const Place = z.int().min(1);
const Problem = z
  .strictObject({
    path: z.string().meta({
      description: 'The path of JSON fields that leads to the problem; empty if the problem concerns the whole text',
    }),
    line: Place,
    column: Place,
    message: z.string(),
  })
  .meta({ id: 'CatalogueProblem' });
const More = z.int().min(1).exactOptional();

export const CatalogueCheckAnswer = z
  .strictObject({
    ok: z.boolean().meta({ description: 'Whether a server with these settings would start with this catalogue' }),
    problems: z
      .array(Problem)
      .meta({ description: 'The problems in the order in which the text contains them, at most 100' }),
    more: More.meta({ description: 'The number of further problems' }),
  })
  .meta({
    id: 'CatalogueCheck',
    examples: [
      {
        ok: false,
        problems: [{ path: 'plans.second/solo.limits.users', line: 12, column: 18, message: 'is missing' }],
      },
    ],
  });

const Count = z.int().min(0);
const HeldVersion = z
  .strictObject({
    today: z.boolean().meta({ description: "Whether today's catalogue sells the plan on these terms" }),
    holders: Count,
    terms: Terms,
  })
  .meta({
    id: 'HeldVersion',
    description: 'Terms of a plan, and the number of organizations that hold the plan on these terms',
  });

export const HeldTermsAnswer = z
  .strictObject({
    plans: z.array(
      z
        .strictObject({
          line: ProductLine,
          plan: z.string(),
          forSale: z.boolean(),
          holders: Count.meta({ description: 'The number of organizations that hold the plan' }),
          versions: Count.meta({ description: 'The number of different terms on which organizations hold the plan' }),
          terms: z.array(HeldVersion).meta({
            description: 'The different terms of the plan; the terms that most organizations hold come first',
          }),
          more: More.meta({ description: 'The number of versions whose terms the answer leaves out' }),
        })
        .meta({ id: 'HeldPlanTerms' }),
    ),
  })
  .meta({
    id: 'HeldTerms',
    examples: [
      {
        plans: [
          {
            ...{ line: 'second', plan: 'solo', forSale: true, holders: 812, versions: 1 },
            terms: [
              {
                ...{ today: true, holders: 812 },
                terms: {
                  ...{ limits: { users: 1 }, hardLimits: { users: 2 }, soldOnlyByAddOn: [], trafficPerMonth: 100_000 },
                  features: ['feedback'],
                  siteDefaults: { features: {}, report: { weekly: true, monthly: true }, live: true },
                  organizationDefaults: { features: { multiSite: false } },
                  customSetDefaults: { features: { logo: false, integrations: false } },
                },
              },
            ],
          },
        ],
      },
    ],
  });
