import { hash } from 'node:crypto';
import type { Immutable, Message, Moment } from '@charter/decider';
import { canonicalText } from './canonical';

/** An event as a preview shows it: a moment that the command itself sets is `now`. */
export type ShownEvent = Immutable<{ type: string; data: Record<string, unknown> }>;

/**
 * Shows an event before it is recorded. A preview and its commit decide at different moments, so `now` replaces the
 * moment of the decision.
 * @param at the moment of the decision
 */
export function shownEvent({ type, data }: Message, at: Moment): ShownEvent {
  const fields = Object.entries(data).map(([name, value]) => [
    name,
    isOwnMoment(value, at) ? 'now' : (value as unknown),
  ]);
  return { type, data: Object.fromEntries(fields) as ShownEvent['data'] };
}

/**
 * The digest of the events that a preview shows: SHA-256, in lower-case hex, over the canonical form (RFC 8785). A list
 * of commands with this digest appends exactly these events at exactly this revision, or no events.
 * @param revision the revision of the stream before the events
 */
export const digestOfShown = (revision: number, events: readonly ShownEvent[]): string =>
  hash('sha256', canonicalText({ revision, events: events.map(({ type, data }) => ({ type, data })) }));

/**
 * Whether a value is the moment of the decision, or at most 20 milliseconds later. If a list of commands ends a sale
 * and begins another sale, the second event gets a slightly later moment. The later moment makes the order of the two
 * events clear.
 */
const isOwnMoment = (value: unknown, at: Moment): boolean => {
  if (typeof value !== 'string' || value.length !== at.length) return false;
  const later = Date.parse(value) - Date.parse(at);
  return later >= 0 && later <= LATER_MAX_MS;
};

/** One millisecond for each of the 20 commands of a list. */
const LATER_MAX_MS = 20;
