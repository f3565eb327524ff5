import { z } from 'zod';

/** The maximum number of ids in one request. */
const IDS_MAX = 100;

/** The id of an actor or a member. Actors that are programs, such as `stripe`, have ids that are not UUIDs. */
const NamedId = z
  .string()
  .max(255)
  .regex(/^[\x21-\x7e]+$/, 'must be the id of an actor or a member')
  .transform((id) => id.toLowerCase());

export const NamesRequest = z.strictObject({ ids: z.array(NamedId).min(1).max(IDS_MAX) });
export type NamesRequest = z.infer<typeof NamesRequest>;

const NameEntry = z.strictObject({
  name: z
    .string()
    .nullable()
    .meta({ description: 'null if the person is erased, or if the caller does not see the name' }),
  as: z.enum(['member', 'former-member', 'operator', 'auditor', 'key']),
  erased: z.boolean(),
});
export type NameEntry = z.infer<typeof NameEntry>;

/** The answer of `POST /api/v1/organizations/:id/names`. */
export const NamesAnswer = z
  .strictObject({
    organization: z.guid(),
    names: z
      .record(z.string(), NameEntry)
      .meta({ description: 'The name and the kind of each requested id that the history contains' }),
  })
  .meta({
    id: 'Names',
    examples: [
      {
        organization: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90',
        names: {
          '0b9bd1c5-2d0e-4f8c-9a51-3f3a0c9a7e11': { name: 'Ben Okafor', as: 'former-member', erased: false },
          '5f0c7a52-52a1-4d0b-9a0e-6d2f6c0a4b1d': { name: null, as: 'operator', erased: false },
        },
      },
    ],
  });
