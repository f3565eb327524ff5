import type { Moment } from '@charter/decider';
import { z } from 'zod';
import { hostnameOf } from './hostname';

/** The words of commands: what may stand in a field. One schema is the check, the documentation and the type. */

/** Any UUID, in lower case, so that the same id is the same text everywhere. */
export const Id = z.guid().transform((id) => id.toLowerCase());

/** Texts people read: one canonical form (NFC), trimmed, nothing invisible that could make two look alike. */
export const Name = words(200);
export const Reason = words(500);

/** The payment provider's opaque text for a purchase or a subscription (`decisions.md` 28). */
export const ProviderId = z
  .string()
  .min(1)
  .max(255)
  .refine((id) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(id) && id !== '__proto__', 'must be text without control characters')
  .refine((id) => id.trim() !== '', 'must not be blank');

const MOMENT = 'must be a moment such as 2026-11-21T10:00:00Z';

/** ISO 8601; any offset is understood, and kept as UTC with milliseconds, of a year with four digits, and after `beginning`: it compares as text. */
export const When = z.iso
  .datetime({ offset: true, error: ({ code }) => (code === 'invalid_format' ? MOMENT : undefined) })
  .transform((moment, context): Moment => {
    const time = Date.parse(moment);
    const utc = Number.isNaN(time) ? '' : new Date(time).toISOString();
    if (utc.length === FIRST.length && utc >= FIRST) return utc;
    context.issues.push({ code: 'custom', message: 'is no moment of the years 0001 to 9999', input: moment });
    return z.NEVER;
  });

const FIRST: Moment = '0001-01-01T00:00:00.000Z';

export const Role = z.enum(['owner', 'admin', 'member']);

/** Accepts what people paste and keeps the hostname in ASCII (`decisions.md` 16). */
export const Hostname = z
  .string()
  .transform((value, context) => {
    const hostname = hostnameOf(value);
    if (hostname !== null) return hostname;
    context.issues.push({ code: 'custom', message: 'is no hostname such as www.example.com', input: value });
    return z.NEVER;
  })
  .meta({ description: 'A hostname or web address, without port, user or IP address', examples: ['www.example.com'] });

/** `YYYY-MM`. */
export const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11');

/** A limit set by hand: 0 is unlimited, null gives it back to the plan (`api.md`, PUT limits). */
export const AmountByHand = z.int().min(0).max(1_000_000_000).nullable();

/** How many units a purchase counts from now on (`api.md`, add-ons). */
export const Quantity = z.int().min(1).max(10_000);

/** Control characters, lone surrogates, line separators, and all that shows nothing or turns the direction of text around. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/** Where joiners and selectors do show: inside an emoji, and behind the letters of scripts that are written with them. */
const EMOJI = new RegExp(String.raw`\p{RGI_Emoji}`, 'gv');
const JOINED =
  /(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])[\u200c\u200d](?=\p{L})/gu;

/** Measured in code points, as the documentation's `maxLength` is, and in the form that is kept. */
function words(max: number) {
  const written = max * 8; // marks apart from their letters, and spaces around them
  return z
    .string()
    .max(written, `must not be longer than ${max} characters`) // first, for NFC of a long text takes long
    .meta({ minLength: 1, maxLength: max })
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => text.length > 0, 'must not be empty')
    .refine((text) => Array.from(text).length <= max, `must not be longer than ${max} characters`)
    .refine(
      (text) => !UNSEEN.test(text.replace(EMOJI, '').replace(JOINED, '')),
      'must not contain control or invisible characters',
    );
}
