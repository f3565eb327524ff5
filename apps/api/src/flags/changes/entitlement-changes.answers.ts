import { Revision } from '@charter/organization-view';
import { z } from 'zod';
import { type DeclaredAnswers, NDJSON_TYPE } from '../../http/declared-answers';
import { changeKeys } from './changed-keys';
import { printedNotice } from './entitlement-notices';

const example = { organization: '7d3f6f3e-7f4b-4b53-8a53-0f6a1f2b7c90', revision: 4, keys: ['feedback'] } as const;

/** A change of an organization's entitlements, and the cursor to continue after this change. */
const EntitlementChangeLine = z
  .strictObject({
    organization: z.guid(),
    revision: Revision,
    keys: z.array(z.enum(changeKeys)).meta({
      description: 'The changed limits and features, and `traffic`. A changed use or reason also counts',
    }),
    cursor: z.string().meta({ description: 'The cursor after the whole answer' }),
  })
  .meta({ id: 'EntitlementChange', examples: [{ ...example, keys: [...example.keys], cursor: 'MQ' }] });

/** Server-sent events that never end; for other clients, the changes since the cursor as NDJSON. */
export const entitlementChanges: DeclaredAnswers<never> = {
  200: {
    description: 'The changes after the cursor',
    content: {
      'text/event-stream': z
        .string()
        .meta({ examples: [`id: MQ\n${printedNotice(example)}`] }) as z.ZodType as z.ZodType<never>,
      [NDJSON_TYPE]: EntitlementChangeLine as z.ZodType as z.ZodType<never>,
    },
    headers: ['Charter-Cursor'],
  },
};
