import { type Mail, mailStates } from '@charter/documents';
import { z } from 'zod';

const Place = z.tuple([z.iso.datetime(), z.uuid()]);
const Cursor = z
  .string()
  .max(200)
  .transform((text, context) => {
    const place = Place.safeParse(decoded(text));
    if (place.success) return { made: place.data[0], id: place.data[1] };
    context.issues.push({ code: 'custom', message: 'is no cursor of ours', input: text });
    return z.NEVER;
  });
const decoded = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};
export const cursorAt = ({ made, id }: Pick<Mail, 'made' | 'id'>): string =>
  Buffer.from(JSON.stringify([made, id])).toString('base64url');

export const MailsQuery = z.strictObject({
  state: z.enum(mailStates).optional(),
  cursor: Cursor.optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be 1 to 100')
    .transform(Number)
    .default(20),
});
