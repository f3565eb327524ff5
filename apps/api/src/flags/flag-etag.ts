import { hash } from 'node:crypto';
import { type Flag, type FlagSubject, targetingKeyOf } from '@charter/organization-view';

/** The lifetime of an epoch in milliseconds. When an epoch ends, every bulk ETag of a subject changes once. */
const EPOCH_MS = 45 * 60_000;

/**
 * The ETag of a bulk evaluation: a hash of the subject and its flags, and the number of the epoch. The ETag does not
 * contain the organization's revision, because most events change no flag. It depends on the subject, because the web
 * provider keeps its ETag when only the context changes (`flags.md`, ETag).
 */
export function flagETag(subject: FlagSubject, flags: readonly Flag[], now: number): string {
  const targetingKey = targetingKeyOf(subject);
  return `"${hash('sha256', JSON.stringify([targetingKey, flags])).slice(0, HASH_LENGTH)}.${epochOf(targetingKey, now)}"`;
}
const HASH_LENGTH = 32; // hexadecimal digits, so 128 bits

/** The epochs of different subjects begin at different moments, so that clients do not all fetch at the same moment. */
const epochOf = (targetingKey: string, now: number): number =>
  Math.floor((now + (parseInt(hash('sha256', targetingKey).slice(0, 8), 16) % EPOCH_MS)) / EPOCH_MS);

/** Whether `If-None-Match` contains the tag, with or without quotes (open-feature/protocol#67). */
export const matchesFlagETag = (header: string | undefined, tag: string): boolean =>
  header !== undefined &&
  header.split(',').some((known) => known.trim().replace(/^W\//, '').replaceAll('"', '') === tag.replaceAll('"', ''));
