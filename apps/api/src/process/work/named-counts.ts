/** Counts for each name, for example the waiting work of each address. A name whose count is 0 takes no memory. */
export function namedCounts() {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    of,
    change: (name: string, by: 1 | -1): void => {
      const count = of(name) + by;
      if (count > 0) counts.set(name, count);
      else counts.delete(name);
    },
  };
}
