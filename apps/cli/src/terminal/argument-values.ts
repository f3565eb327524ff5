import { type Moment, momentAt } from '@charter/decider';
import type { HistoryPoint } from '@charter/aggregates';
import { NoteRefused, verifierOf } from '@charter/integrity';
import {
  canonicalEmail,
  canonicalUsername,
  isScope,
  type PlatformRole,
  platformRoles,
  type Scope,
  scopes,
} from '@charter/identity';
import { isSubject, namesIn, subjectNames } from '@charter/organization-view';
import { ProductLine, organizationIdOf, organizationStreamPrefix, words } from '@charter/organization';

/** An argument has an invalid value. The message says which values are valid; the exit code is 2. */
export class UsageError extends Error {
  /** Commander recognizes a wrong value by this code, and prints the name of the option. */
  readonly code = 'commander.invalidArgument';
  readonly exitCode = 2;
}

/** A UUID, converted to lower case. */
const uuid = (text: string): string => taken(words.Id, text, 'The value must be a UUID.');

/** An organization's id, or the name of its stream. */
export const organizationId = (text: string): string =>
  uuid(text.startsWith(organizationStreamPrefix) ? organizationIdOf(text) : text);

/** Whether the argument is an organization's id or stream. Any other argument is the name of a file. */
export const isOrganization = (text: string): boolean =>
  words.Id.safeParse(text.startsWith(organizationStreamPrefix) ? organizationIdOf(text) : text).success;

/** The public key of signed checkpoints, in the form that `/.well-known/charter-checkpoint-key` prints. */
export function publicKey(text: string): string {
  try {
    verifierOf(text.trim());
    return text.trim();
  } catch (error) {
    if (error instanceof NoteRefused) throw new UsageError(error.message);
    throw error;
  }
}

/** The segments of a path that events can be about: `/members/ID` has the segments `members` and `ID`. */
export function subjectPath(text: string): readonly string[] {
  const names = namesIn(text);
  if (text.startsWith('/') && isSubject(names)) return names;
  throw new UsageError(`The value must be a path such as /members/ID that begins with ${subjectNames.join(', ')}.`);
}

export const organizationName = (text: string): string =>
  taken(words.Name, text, 'The value must have 1 to 200 characters, and no invisible characters.');

/** An e-mail address in the form that Charter stores. */
export function email(text: string): string {
  const canonical = canonicalEmail(text);
  if (canonical === undefined) throw new UsageError('The value must be one e-mail address, such as ada@example.com.');
  return canonical;
}

/** A username in the form that Charter stores. */
export function username(text: string): string {
  const canonical = canonicalUsername(text);
  if (canonical === undefined)
    throw new UsageError(
      'The value must be 2 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit.',
    );
  return canonical;
}

export function platformRole(text: string): PlatformRole {
  const role = platformRoles.find((name) => name === text);
  if (role === undefined) throw new UsageError(`The value must be ${platformRoles.join(' or ')}.`);
  return role;
}

export const platformRoleOrNone = (text: string): PlatformRole | 'none' =>
  text === 'none' ? text : platformRole(text);

/** LINE/PLAN, for example `second/teams`. The catalogue decides whether the plan exists. */
export function planOf(text: string): { line: ProductLine; plan: string } {
  const [line = '', plan = '', ...more] = text.split('/');
  const known = ProductLine.safeParse(line);
  if (!known.success || plan === '' || more.length > 0)
    throw new UsageError(
      `The value must be ${ProductLine.options.join(' or ')}, a slash and a plan, such as second/teams.`,
    );
  return { line: known.data, plan };
}

export function today(text: string): 'today' {
  if (text !== 'today') throw new UsageError('The only value is today: the terms of the current catalogue.');
  return text;
}

/** A comma-separated list of scopes. */
export function scopesOf(text: string): readonly Scope[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.filter((name) => !isScope(name));
  if (wrong.length > 0) throw new UsageError(`The value must be some of: ${scopes.join(', ')}.`);
  return names.filter(isScope);
}

/**
 * A number of hours, days or weeks from now (`12h`, `90d`, `4w`), or a future moment (ISO 8601; a day begins at 00:00
 * UTC).
 */
export function parseExpiry(text: string, now = Date.now()): Moment {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const at = count === undefined ? momentOrDay(text) : momentAt(now + Number(count) * milliseconds[unit]!);
  if (at === undefined)
    throw new UsageError('The value must have a form such as 12h, 90d, 4w, 2027-01-31 or 2027-01-31T12:00:00Z.');
  if (Date.parse(at) <= now) throw new UsageError('The value must be in the future.');
  return at;
}

const milliseconds: { readonly [unit: string]: number } = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const momentOrDay = (text: string) => {
  const { data } = words.When.safeParse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  return data;
};

/** A revision, for example `42`, or a moment (ISO 8601). */
export function parseUntil(text: string): HistoryPoint {
  if (/^\d{1,15}$/.test(text)) return { revision: Number(text) };
  return {
    moment: taken(
      words.When,
      text,
      'The value must be a revision such as 42, or a moment such as 2026-11-21T10:00:00Z.',
    ),
  };
}

/** A moment (ISO 8601). */
export const parseMoment = (text: string): Moment =>
  taken(words.When, text, 'The value must be a moment such as 2026-11-21T10:00:00Z.');

/** A comma-separated list of event types. */
export function eventTypesOf<Type extends string>(text: string, known: readonly Type[]): readonly Type[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !known.includes(name as Type));
  if (unknown.length > 0)
    throw new UsageError(`There is no ${unknown.join(', ')}. The value must be some of: ${known.join(', ')}.`);
  return names as Type[];
}

/** The number of units of a purchase. */
export function parseQuantity(text: string): number {
  const { data } = words.Quantity.safeParse(/^\d{1,6}$/.test(text) ? Number(text) : undefined);
  if (data === undefined) throw new UsageError('The value must be a whole number from 1 to 10,000.');
  return data;
}

/** The id of a purchase, as the payment provider or Charter has assigned it. */
export const providerId = (text: string): string =>
  taken(words.ProviderId, text, 'The value must have 1 to 255 characters, and no invisible characters.');

/** An operator's reason for a decision. */
export const reasonText = (text: string): string =>
  taken(words.Reason, text, 'The value must have 1 to 500 characters, and no invisible characters.');

/** The path of a file or folder. An empty path often comes from a shell variable that is not set. */
export function filePath(text: string): string {
  if (text === '') throw new UsageError('The value must be a path.');
  return text;
}

/** The number of entries to list. */
export function parseCount(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new UsageError('The value must be a whole number of at least 1.');
  return number;
}

const taken = <Value>(
  schema: { safeParse: (text: string) => { success: boolean; data?: Value } },
  text: string,
  expected: string,
): Value => {
  const { success, data } = schema.safeParse(text);
  if (!success) throw new UsageError(expected);
  return data as Value; // a successful result always has a value
};
