import { z } from 'zod';

/** The parameter `?q=` of lists: a text to search for. */
export const SearchParam = z
  .string()
  .max(200)
  .regex(/^\P{Cc}*$/u, 'contains a character that cannot be printed');

/** The parameter `?limit=` of the lists that Charter answers in pages (`api.md`, Shapes). */
export const PageLimit = z
  .string()
  .regex(/^([1-9]\d?|100)$/, 'must be 1 to 100')
  .transform(Number)
  .default(20);

/**
 * A cursor is a position in a list, written as base64url of JSON, without personal data. A request with an invalid
 * cursor gets 400.
 */
export const cursorsOf = <Place>(schema: z.ZodType<Place>, lengthMax: number) => ({
  Cursor: z
    .string()
    .max(lengthMax)
    .transform((text, context) => {
      const parsed = schema.safeParse(decoded(text));
      if (parsed.success) return parsed.data;
      context.issues.push({ code: 'custom', message: 'must be the cursor of an earlier answer', input: text });
      return z.NEVER;
    }),
  at: (key: Place): string => Buffer.from(JSON.stringify(key)).toString('base64url'),
});

const decoded = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};
