import { canonicalEmail } from '@charter/identity';
import { words } from '@charter/organization';
import { z } from 'zod';
import { PageLimit } from '../http/input/paging';

const Password = z.string();

/** An e-mail address. The schema returns the canonical form of the address. */
export const Email = z.string().transform((text, context) => {
  const email = canonicalEmail(text);
  if (email !== undefined) return email;
  context.issues.push({ code: 'custom', message: 'must be one e-mail address, such as ada@example.com', input: text });
  return z.NEVER;
});

export const OwnAccountChange = z
  .strictObject({ name: words.Name.nullable().optional(), email: Email.optional(), password: Password.optional() })
  .refine(({ name, email }) => name !== undefined || email !== undefined, 'must contain a name or an email')
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
    .regex(/^\d{1,15}$/, 'is no cursor of ours')
    .transform(Number)
    .optional(),
  limit: PageLimit,
});
