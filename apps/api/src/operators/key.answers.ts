import { scopes } from '@charter/identity';
import { At } from '@charter/organization-view';
import { z } from 'zod';

const keyFields = {
  id: z.guid(),
  prefix: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  organization: z
    .guid()
    .nullable()
    .meta({ description: 'The only organization in which the API key is valid; null: every organization' }),
  madeBy: z
    .guid()
    .nullable()
    .meta({ description: 'The account that created the API key; null: the command line created the key' }),
  created: At,
  expires: At.nullable(),
  revoked: At.nullable(),
  used: At.nullable().meta({ description: 'The minute in which the API key was last used' }),
};
const example = {
  ...{ id: '5e0f6a1f-2b7c-4c90-8a53-7d3f6f3e7f4b', prefix: 'chk_0123456789ab', name: 'ci' },
  ...{ scopes: ['organizations:read'] as (typeof scopes)[number][], organization: null, madeBy: null },
  ...{ created: '2026-11-21T10:00:00.000Z', expires: null, revoked: null, used: null },
};

/** An API key in lists, without its secret. */
const KeyAnswer = z.strictObject(keyFields).meta({ id: 'Key' });
export const KeyPage = z
  .strictObject({ keys: z.array(KeyAnswer), next: z.guid().nullable() })
  .meta({ id: 'KeyPage', examples: [{ keys: [example], next: null }] });

/** A new API key and its secret, which no other answer contains. */
export const NewKeyAnswer = z
  .strictObject({ ...keyFields, key: z.string() })
  .meta({ id: 'NewKey', examples: [{ ...example, key: `chk_0123456789ab_${'x'.repeat(43)}` }] });
