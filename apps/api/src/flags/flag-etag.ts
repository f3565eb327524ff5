import { hash } from 'node:crypto';
import { type Flag, type FlagSubject, targetingKeyOf } from '@charter/organization-view';

/** The lifetime of an epoch in milliseconds. When an epoch ends, every bulk ETag of a subject changes once. */
const EPOCH_MS = 45 * 60_000;

/**
 * A hash of the subject and its flags. The hash does not contain the organization's revision, because most events
 * change no flag. It depends on the subject, because the web provider keeps its ETag when only the context changes
 * (`flags.md`, ETag).
 */
export const flagHash = (subject: FlagSubject, flags: readonly Flag[]): string =>
  shortHash([targetingKeyOf(subject), flags]);

/**
 * The ETag of a bulk evaluation: a hash of the flags and of the ticket, and the number of the epoch in which the ticket
 * ends. After a 304 the client keeps the address of its event stream. The tag therefore changes whenever the ticket in
 * this address changes.
 */
export const flagETag = (
  subject: FlagSubject,
  flags: string,
  { ticket, expires }: Readonly<{ ticket: string; expires: number }>,
): string => `"${shortHash([flags, ticket])}.${epochOf(targetingKeyOf(subject), expires)}"`;

const shortHash = (value: unknown) => hash('sha256', JSON.stringify(value)).slice(0, HASH_LENGTH);
const HASH_LENGTH = 32; // hexadecimal digits, so 128 bits

/** The epochs of different subjects begin at different moments, so that clients do not all fetch at the same moment. */
const epochOf = (targetingKey: string, now: number): number => Math.floor((now + shiftOf(targetingKey)) / EPOCH_MS);

/** The moment at which the present epoch of a subject ends, in milliseconds since 1970. */
export const epochEnd = (targetingKey: string, now: number): number =>
  (epochOf(targetingKey, now) + 1) * EPOCH_MS - shiftOf(targetingKey);

const shiftOf = (targetingKey: string) => parseInt(hash('sha256', targetingKey).slice(0, 8), 16) % EPOCH_MS;

/** Whether `If-None-Match` contains the tag, with or without quotes (open-feature/protocol#67). */
export const matchesFlagETag = (header: string | undefined, tag: string): boolean =>
  header === tag || // so most headers need no search
  (header !== undefined &&
    header
      .split(',')
      .some((known) => known.trim().replace(/^W\//, '').replaceAll('"', '') === tag.replaceAll('"', '')));
