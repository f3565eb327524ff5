import { canonicalEmail } from '@charter/identity';
import { words } from '@charter/organization';
import { z } from 'zod';
import { shippedLanguages } from '../http/input/language';
import { PageLimit } from '../http/input/paging';

const Password = z.string();

const ZONE = 'must be the name of a time zone, such as Europe/Helsinki';

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** An e-mail address. The schema returns the canonical form of the address. */
export const Email = z.string().transform((text, context) => {
  const email = canonicalEmail(text);
  if (email !== undefined) return email;
  context.issues.push({ code: 'custom', message: 'must be one e-mail address, such as ada@example.com', input: text });
  return z.NEVER;
});

/** The name of a time zone in the IANA database, such as `Europe/Helsinki`. */
const TimeZone = z
  .string()
  .max(100)
  .regex(/^[A-Za-z]/, ZONE)
  .refine(isTimeZone, ZONE);

/**
 * A person's preferences: language, time zone, and whether keyboard shortcuts are on. The value `null` removes a
 * preference.
 */
const preferences = {
  language: z.enum(shippedLanguages).nullable().optional(),
  timeZone: TimeZone.nullable().optional(),
  keys: z.boolean().nullable().optional(),
};

export const OwnAccountChange = z
  .strictObject({
    name: words.Name.nullable().optional(),
    email: Email.optional(),
    password: Password.optional(),
    ...preferences,
  })
  .refine(
    (change) => Object.entries(change).some(([field, value]) => field !== 'password' && value !== undefined),
    'must contain a name, an email, a language, a timeZone or keys',
  )
  .refine(
    ({ email, password }) => email === undefined || password !== undefined,
    'must contain the password together with a new email',
  );
export const NewPassword = z.strictObject({ current: Password, password: Password });
export const Proof = z.strictObject({ password: Password });
export const Token = z.strictObject({ token: z.string().max(1_000) });

export const ActivityQuery = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the cursor of an earlier answer')
    .transform(Number)
    .optional(),
  limit: PageLimit,
});
