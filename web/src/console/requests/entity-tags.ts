/** An answer with its entity tag. */
export type Kept = Readonly<{ tag: string; data: unknown }>;

const KEPT = 50;

/** The latest 50 answers by URL, with their entity tags. A repeated request sends the tag in `If-None-Match`. */
export function createEntityTags() {
  const kept = new Map<string, Kept>();
  return {
    keptOf: (address: string): Kept | undefined => kept.get(address),
    keep: (address: string, tag: unknown, data: unknown): void => {
      kept.delete(address);
      if (typeof tag !== 'string' || tag === '') return;
      kept.set(address, { tag, data });
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    },
  };
}
