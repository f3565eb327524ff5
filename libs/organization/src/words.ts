import { type Moment, momentAt } from '@charter/decider';
import { z } from 'zod';
import { hostnameFault, hostnameOf } from './hostname';

/** The schemas of command fields. Each schema checks a field, documents the field and defines its type. */

/** Makes an object schema refuse unknown fields with an error that lists the known fields. */
export const listing = (known: readonly string[]) => ({
  error: ({ code }: Readonly<{ code: string }>) =>
    code === 'unrecognized_keys' ? `is not one of: ${known.join(', ')}` : undefined,
});

/** Any UUID, in lower case, so that equal ids are equal texts. */
export const Id = z.guid().transform((id) => id.toLowerCase());
/** The pattern of an id as Charter prints it. A test with this pattern takes a fraction of the time of the schema. */
export const PRINTED_ID = '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

/** The maximum length of a name, in code points. */
export const NAME_LENGTH_MAX = 200;

/**
 * A text for people in canonical form (NFC), without spaces at its ends. The text must not contain invisible
 * characters, because two different texts could then look alike.
 */
export const Name = words(NAME_LENGTH_MAX);
export const Reason = words(500);

/**
 * The payment provider's id of a purchase or a subscription. Charter does not interpret the provider's ids
 * (`decisions.md` 28).
 */
export const ProviderId = printable(255);

/** The name of a plan or an add-on. The catalogue does not need to contain the name (`decisions.md` 19). */
export const OfferName = printable(100);

const MOMENT = 'must be a moment such as 2026-11-21T10:00:00Z';

/**
 * An ISO 8601 time with any offset, from the year 1 to 9999. Charter stores the time in UTC with milliseconds and a
 * year of four digits, so that moments compare as text.
 */
export const When = z.iso
  .datetime({ offset: true, error: ({ code }) => (code === 'invalid_format' ? MOMENT : undefined) })
  .transform((moment, context): Moment => {
    const time = Date.parse(moment);
    const utc = Number.isNaN(time) ? '' : momentAt(time);
    if (utc.length === FIRST.length && utc >= FIRST) return utc;
    context.issues.push({ code: 'custom', message: 'is no moment of the years 0001 to 9999', input: moment });
    return z.NEVER;
  });

const FIRST: Moment = '0001-01-01T00:00:00.000Z';

/** Accepts pasted addresses, and stores only the hostname in ASCII (`decisions.md` 16). */
export const Hostname = z
  .string()
  .transform((value, context) => {
    const hostname = hostnameOf(value);
    if (hostname !== null) return hostname;
    context.issues.push({ code: 'custom', message: hostnameFault(value), input: value });
    return z.NEVER;
  })
  .meta({ description: 'A hostname or web address, without port, user or IP address', examples: ['www.example.com'] });

export const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11');

/** A manual limit. 0 means unlimited; null restores the plan's limit (`api.md`, PUT limits). */
export const AmountByHand = z.int().min(0).max(1_000_000_000).nullable();

/** The total number of units of a purchase (`api.md`, add-ons). */
export const Quantity = z.int().min(1).max(10_000);

/**
 * Control characters, lone surrogates, line separators, and characters that are invisible or change the direction of
 * the text.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/**
 * Unicode joiners and variation selectors are allowed where they have a visible effect: inside an emoji, and after
 * letters of scripts that need them.
 */
const EMOJI = new RegExp(String.raw`\p{RGI_Emoji}`, 'gv');
const JOINED =
  /(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])[\u200c\u200d](?=\p{L})/gu;

/** Makes the schema of a text of printable characters. */
function printable(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .refine(
      (text) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text) && text !== '__proto__',
      'must be text without control characters',
    )
    .refine((text) => text.trim() !== '', 'must not be blank');
}

/**
 * Makes the schema of a text with at most `max` code points in its stored form. The OpenAPI document shows `max` as
 * `maxLength`.
 */
function words(max: number) {
  const written = max * 8; // the typed text may be longer because of combining marks and spaces at its ends
  return z
    .string()
    .max(written, `must not be longer than ${max} characters`) // runs first, because NFC of a long text is slow
    .meta({ minLength: 1, maxLength: max })
    .transform((text) => text.normalize('NFC').trim())
    .refine((text) => text.length > 0, 'must not be empty')
    .refine((text) => Array.from(text).length <= max, `must not be longer than ${max} characters`)
    .refine(
      (text) => !INVISIBLE.test(text.replace(EMOJI, '').replace(JOINED, '')),
      'must not contain control or invisible characters',
    );
}
