import type { Readers } from '@charter/client';

/** The filter of the list, with the names of the API's query parameters. */
export type ReadersFilter = Readonly<{ from?: string; to?: string; cursor?: string }>;

/** Reads the filter of the list from an address. */
export function readersFilterIn(address: URLSearchParams): ReadersFilter {
  const filter: Record<string, string> = {};
  for (const name of ['from', 'to', 'cursor']) {
    const value = address.get(name);
    if (value !== null && value !== '') filter[name] = value;
  }
  return filter;
}

/** The filter for one whole day in UTC. Without a day, the filter is empty, so the list contains all hours. */
export const filterOfDay = (day: string): ReadersFilter =>
  day === '' ? {} : { from: `${day}T00:00:00.000Z`, to: `${day}T23:59:59.999Z` };

/** The day that a filter covers; empty if the filter does not cover exactly one day. */
export function dayOfFilter({ from = '', to }: ReadersFilter): string {
  const day = from.slice(0, 'YYYY-MM-DD'.length);
  const whole = filterOfDay(day);
  return whole.from === from && whole.to === to ? day : '';
}

type Entry = Readers['readers'][number];

type Hour = Readonly<{
  hour: string;
  /** The index of the hour's first entry among all entries of the list. */
  first: number;
  entries: readonly Entry[];
}>;

/** Groups the entries of the list by hour, without changing their order. */
export function hoursOf(readers: readonly Entry[]): readonly Hour[] {
  const hours: (Hour & { entries: Entry[] })[] = [];
  for (const [index, entry] of readers.entries()) {
    const last = hours.at(-1);
    if (last?.hour === entry.hour) last.entries.push(entry);
    else hours.push({ hour: entry.hour, first: index, entries: [entry] });
  }
  return hours;
}
