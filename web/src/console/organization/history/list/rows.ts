import type { HistoryEvent } from '@charter/client';

/**
 * The value that all events of a group share: the month of the traffic reports, or the revision of the sale that
 * billing confirms again.
 */
type GroupOf = Readonly<{ month: string }> | Readonly<{ repeats: number }>;

/**
 * A row of the list: one event, or a group of similar events (traffic reports of a month, or confirmations of one
 * sale).
 */
export type ListRow =
  | Readonly<{ kind: 'event'; event: HistoryEvent; isFolded?: true }>
  | Readonly<{ kind: 'group'; key: string; of: GroupOf; events: readonly HistoryEvent[]; isOpen: boolean }>;

/** The traffic reports on other pages of the same list. */
export type OtherReports = Readonly<{
  /** Whether the row of this month stands on an earlier page. */
  isEarlier: (month: string) => boolean;
  /** The reports of this month on later pages. */
  later: (month: string) => readonly HistoryEvent[];
}>;
const noOthers: OtherReports = { isEarlier: () => false, later: () => [] };

/**
 * The rows of some consecutive events. Two or more events of the same group become one row at the place of the group's
 * first event. While the row is open, a row for each of its events follows.
 * @param foldsReports whether traffic reports of the same month are a group, together with the reports on other pages
 */
export function rowsOf(
  events: readonly HistoryEvent[],
  open: ReadonlySet<string>,
  foldsReports: boolean,
  others: OtherReports = noOthers,
): readonly ListRow[] {
  const groups = new Map<string, HistoryEvent[]>();
  const groupIn = (event: HistoryEvent) => {
    const of = groupOf(event);
    return of && (foldsReports || !('month' in of)) ? { of, name: Object.entries(of).join() } : undefined;
  };
  for (const event of events) {
    const group = groupIn(event);
    if (group) groups.set(group.name, [...(groups.get(group.name) ?? []), event]);
  }
  return events.flatMap((event): ListRow[] => {
    const group = groupIn(event);
    const own = group && groups.get(group.name);
    if (!own) return [{ kind: 'event', event }];
    const month = 'month' in group.of ? group.of.month : undefined;
    if (own[0] !== event || (month !== undefined && others.isEarlier(month))) return [];
    const all = month === undefined ? own : [...own, ...others.later(month)];
    if (all.length < 2) return [{ kind: 'event', event }];
    const key = month === undefined ? `${group.name} ${event.revision}` : group.name;
    const isOpen = open.has(key);
    const inside = isOpen ? all.map((event): ListRow => ({ kind: 'event', event, isFolded: true })) : [];
    return [{ kind: 'group', key, of: group.of, events: all, isOpen }, ...inside];
  });
}

/** The traffic reports among some events, by month. */
export function reportsIn(events: readonly HistoryEvent[]): ReadonlyMap<string, readonly HistoryEvent[]> {
  const found = new Map<string, HistoryEvent[]>();
  for (const event of events) {
    const of = groupOf(event);
    if (of && 'month' in of) found.set(of.month, [...(found.get(of.month) ?? []), event]);
  }
  return found;
}

/** Identifies a row of a page after other rows of the page have changed. */
export const nameOfRow = (row: ListRow): string => (row.kind === 'event' ? String(row.event.revision) : row.key);

function groupOf(event: HistoryEvent): GroupOf | undefined {
  const { type, data, repeats } = event;
  const month = type === 'TrafficReported' ? data?.['month'] : undefined;
  if (typeof month === 'string') return { month };
  return repeats !== undefined && isOfBilling(event) ? { repeats } : undefined;
}

export const isOfBilling = ({ metadata }: HistoryEvent): boolean => metadata?.actor.kind === 'billing';
