/**
 * Which events a list shows. The fields have the names and values of the query parameters of `GET …/events`, which the
 * address of the page also contains.
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

/** The query parameters of an address with another filter. The parameters that do not belong to the filter stay. */
export function withFilter(search: URLSearchParams, filter: HistoryFilter): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of names) {
    next.delete(name);
    if (filter[name] !== undefined) next.set(name, filter[name]);
  }
  return next;
}

/** Whether the filter can exclude events. The parameter `order` alone excludes no event. */
export const isNarrow = (filter: HistoryFilter): boolean => Object.keys(omit(filter, ['order'])).length > 0;

export const omit = (filter: HistoryFilter, names: readonly string[]): HistoryFilter =>
  Object.fromEntries(Object.entries(filter).filter(([name]) => !names.includes(name)));
