import type { Folded, Moment } from '@charter/decider';
import type { Organization } from '@charter/organization';

/** A question about one organization at one moment. Pure, worked out on every read, so a new answer needs no rebuild. */
export type Question<Answer> = (organization: Folded<Organization>, at: Moment) => Answer;

/** Raised when a release prints something else for the same revision; it becomes part of every ETag (`api.md`). */
const PRINTING: number = 1;

/**
 * What an answer depends on: the revision, the release's printing, and whether an override has ended without its event;
 * of what was in force at a moment, that moment, and the revision up to which it was looked for: what is recorded later may
 * change the answer, and is another tag. The number before the first dash is what `If-Match` compares.
 */
export function tagOf({ revision, state }: Folded<Organization>, at: Moment, valid?: Moment): string {
  const ended = state.override?.until != null && state.override.until <= at;
  const validly = valid === undefined ? '' : `-v${Date.parse(valid)}`;
  return `"${revision}${PRINTING > 1 ? `-${PRINTING}` : ''}${ended ? '-e' : ''}${validly}"`;
}
