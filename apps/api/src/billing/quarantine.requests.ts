import { messageStates } from '@charter/database';
import { words } from '@charter/organization';
import { messageKeyOf } from '@charter/application';
import { z } from 'zod';
import { cursorsOf, PageLimit } from '../http/input/paging';

const cursors = cursorsOf(z.tuple([z.iso.datetime(), z.string().max(600), z.string().max(300)]), 3_000);
const Cursor = cursors.Cursor.transform(([received, provider, id]) => ({ received, provider, id }));
export const quarantineCursor = (at: Readonly<{ received: string; provider: string; id: string }>): string =>
  cursors.at([at.received, at.provider, at.id]);

export const QuarantineQuery = z.strictObject({
  state: z.enum(messageStates).default('quarantined'),
  cursor: Cursor.optional(),
  limit: PageLimit,
});

/** The id of a message in URLs: Stripe's own id, or `ce_…` for other providers. */
export const MessageHandle = z
  .string()
  .min(1)
  .max(3_000)
  .transform((text, context) => {
    const named = messageKeyOf(text);
    if (named) return named;
    context.issues.push({ code: 'custom', message: 'is not the id of a message', input: text });
    return z.NEVER;
  });

export const Dismissal = z.strictObject({ reason: words.Reason });
