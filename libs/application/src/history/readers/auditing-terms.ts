import type { Moment } from '@charter/decider';
import { contentOf, metadataOf, type StoredEvent } from '@charter/event-log';
import type { Charter } from '../../charter';
import { createEventNotes, type EventNotes } from '../event-notes';

/** The roles of members that may audit their organization. */
const auditingRoles = ['owner', 'admin'] as const;
type AuditingRole = (typeof auditingRoles)[number];

/**
 * A period in which a member had a role that may audit the organization; without `until`, the member still has the
 * role.
 */
export type AuditingTerm = Readonly<{ role: AuditingRole; from: Moment; until?: Moment }>;

/** When an organization was founded, and the auditing terms of each present or former member, oldest first. */
export type AuditingTerms = Readonly<{ founded: Moment; of: ReadonlyMap<string, readonly AuditingTerm[]> }>;

/** The maximum number of terms in the cache, of all histories together. A term takes some 200 bytes. */
const TERMS_MAX = 100_000;

type Draft = { founded: Moment; of: Map<string, readonly AuditingTerm[]>; size: number };

/** Reads the periods in which members could audit an organization, from the organization's own events. */
export const createAuditingTermsReader = (stores: Pick<Charter, 'log' | 'organizations'>): EventNotes<AuditingTerms> =>
  createEventNotes<Draft>(stores, {
    begin: (known) => ({ founded: known?.founded ?? '', of: new Map(known?.of), size: known?.size ?? 0 }),
    add: note,
    sizeOf: ({ size }) => size,
    sizeMax: TERMS_MAX,
  });

const roleChanges = ['MemberAdded', 'MemberRoleChanged', 'MemberRemoved'];

function note(draft: Draft, event: StoredEvent): void {
  const { at } = metadataOf(event);
  if (typeof at !== 'string') return;
  if (draft.founded === '') draft.founded = at;
  if (!roleChanges.includes(event.type)) return;
  const { member, role } = (contentOf(event)?.data ?? {}) as { member?: unknown; role?: unknown };
  if (typeof member !== 'string') return;
  const terms = draft.of.get(member) ?? [];
  const last = terms.at(-1);
  const ended = last && last.until === undefined ? [...terms.slice(0, -1), { ...last, until: at }] : terms;
  const auditing = event.type === 'MemberRemoved' ? undefined : auditingRoles.find((one) => one === role);
  const next = auditing ? [...ended, { role: auditing, from: at }] : ended;
  draft.size += next.length - terms.length + (draft.of.has(member) ? 0 : 1);
  draft.of.set(member, next);
}

const hourOf = (at: Moment) => at.slice(0, 'YYYY-MM-DDTHH'.length);
/** The first moment and the last moment of the hour that contains `at`. */
export const startOfHour = (at: Moment): Moment => `${hourOf(at)}:00:00.000Z`;
export const endOfHour = (at: Moment): Moment => `${hourOf(at)}:59:59.999Z`;

/**
 * The member's auditing role at `at`. If the member had no auditing role at this moment, returns the member's last
 * auditing role in the same hour.
 */
export function auditingRoleAt(terms: readonly AuditingTerm[], at: Moment): AuditingRole | undefined {
  const exact = terms.findLast(({ from, until }) => from <= at && (until === undefined || at < until));
  const inHour = ({ from, until }: AuditingTerm) =>
    from <= endOfHour(at) && (until === undefined || until >= startOfHour(at));
  return (exact ?? terms.findLast(inHour))?.role;
}

/**
 * The whole hours in which a person could audit, without overlaps, oldest first. If the person can still audit, the
 * last range ends at `LAST`.
 */
export function auditingHours(terms: readonly AuditingTerm[]): readonly Readonly<{ from: Moment; to: Moment }>[] {
  const hours: { from: Moment; to: Moment }[] = [];
  for (const { from, until } of terms) {
    const [start, end] = [startOfHour(from), until === undefined ? LAST : endOfHour(until)];
    const last = hours.at(-1);
    if (last && start <= last.to) last.to = end > last.to ? end : last.to;
    else hours.push({ from: start, to: end });
  }
  return hours;
}

export const LAST: Moment = '9999-12-31T23:59:59.999Z';
