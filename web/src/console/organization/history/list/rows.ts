import type { HistoryEvent } from '@charter/client';

/** A row of the list: one event, or the traffic reports of one month. */
export type ListRow =
  | Readonly<{ kind: 'event'; event: HistoryEvent; isFolded?: true }>
  | Readonly<{ kind: 'month'; key: string; month: string; events: readonly HistoryEvent[]; isOpen: boolean }>;

/**
 * The rows of some consecutive events. Two or more traffic reports of the same month become one row, at the place of
 * the first report. While this row is open, its reports follow the row.
 */
export function rowsOf(events: readonly HistoryEvent[], open: ReadonlySet<string>, folds: boolean): readonly ListRow[] {
  const reports = new Map<string, HistoryEvent[]>();
  for (const event of folds ? events : []) {
    const month = monthOf(event);
    if (month === undefined) continue;
    reports.set(month, [...(reports.get(month) ?? []), event]);
  }
  return events.flatMap((event): ListRow[] => {
    const month = monthOf(event);
    const group = month === undefined ? undefined : reports.get(month);
    if (month === undefined || group === undefined || group.length < 2) return [{ kind: 'event', event }];
    if (group[0] !== event) return [];
    const key = `${month} ${event.revision}`;
    const isOpen = open.has(key);
    const inside = isOpen ? group.map((event): ListRow => ({ kind: 'event', event, isFolded: true })) : [];
    return [{ kind: 'month', key, month, events: group, isOpen }, ...inside];
  });
}

function monthOf({ type, data }: HistoryEvent): string | undefined {
  const month = type === 'TrafficReported' ? data?.['month'] : undefined;
  return typeof month === 'string' ? month : undefined;
}
