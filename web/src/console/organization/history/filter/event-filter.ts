/**
 * Which events a list shows, with the names and values of `GET …/events`. The address of the page contains the same
 * names and values.
 */
export type HistoryFilter = Readonly<{
  type?: string;
  'not-type'?: string;
  actor?: string;
  about?: string;
  correlation?: string;
  from?: string;
  to?: string;
  order?: string;
}>;

const names = ['type', 'not-type', 'actor', 'about', 'correlation', 'from', 'to', 'order'] as const;

export function filterIn(search: URLSearchParams): HistoryFilter {
  const given = names.flatMap((name) => {
    const value = search.get(name);
    return value === null || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** The address with another filter; its other parameters stay. */
export function withFilter(search: URLSearchParams, filter: HistoryFilter): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of names) {
    next.delete(name);
    if (filter[name] !== undefined) next.set(name, filter[name]);
  }
  return next;
}

/** Whether the filter excludes events. The parameter `order` excludes none. */
export const isNarrow = (filter: HistoryFilter): boolean => Object.keys(omit(filter, ['order'])).length > 0;

export const omit = (filter: HistoryFilter, names: readonly string[]): HistoryFilter =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name)));
