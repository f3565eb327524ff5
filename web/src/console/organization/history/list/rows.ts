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

/**
 * The rows of some consecutive events. Two or more events of the same group become one row at the place of the first of
 * these events. While the row is open, a row for each of its events follows.
 * @param foldsReports whether traffic reports of the same month are a group
 */
export function rowsOf(
  events: readonly HistoryEvent[],
  open: ReadonlySet<string>,
  foldsReports: boolean,
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
    const all = group && groups.get(group.name);
    if (!all || all.length < 2) return [{ kind: 'event', event }];
    if (all[0] !== event) return [];
    const key = `${group.name} ${event.revision}`;
    const isOpen = open.has(key);
    const inside = isOpen ? all.map((event): ListRow => ({ kind: 'event', event, isFolded: true })) : [];
    return [{ kind: 'group', key, of: group.of, events: all, isOpen }, ...inside];
  });
}

function groupOf(event: HistoryEvent): GroupOf | undefined {
  const { type, data, repeats } = event;
  const month = type === 'TrafficReported' ? data?.['month'] : undefined;
  if (typeof month === 'string') return { month };
  return repeats !== undefined && isOfBilling(event) ? { repeats } : undefined;
}

export const isOfBilling = ({ metadata }: HistoryEvent): boolean => metadata?.actor.kind === 'billing';
