import type { Evolution, Folded, Immutable, Message } from '@charter/decider';
import type { Json } from '@charter/event-log';
import type { Upcasting } from '@charter/event-log';

/** A read model: which streams it keeps, and how each of them is folded into one document. */
export type View<Draft, Event extends Message> = Evolution<Draft, Event> &
  Upcasting<Event> &
  Readonly<{
    name: string;
    /** Raised when documents of the version before can no longer be folded on. A new version is built beside the old. */
    version: number;
    /**
     * The oldest version whose rows are as this one's: while this version is built, lists come from the edition before.
     * Unless said otherwise only its own will do.
     */
    listedSince?: number;
    /** Prefixes of stream names. */
    prefixes: readonly string[];
    /** How a document stands in lists; nothing: it is in none. Pure, and a function of the document alone. */
    row?: ListedRowOf<Draft>;
  }>;

export type ListedRowOf<Draft> = (document: Folded<Immutable<Draft>>) => ListedRow | undefined;

/** A document as lists show it: found by a part of its name, and by tags such as `plan:second/solo`; none is empty. */
export type ListedRow = Readonly<{
  name: string;
  tags: readonly string[];
  columns: { readonly [column: string]: Json };
}>;

/**
 * How a document stands in lists, its tags a set in one order.
 * @throws what the view throws, and when an event has left something in the document that no list can show
 */
export function listedRowOf<Draft>(
  { row }: { row?: ListedRowOf<Draft> },
  document: Folded<Draft>,
): ListedRow | undefined {
  const shown = row?.(document);
  if (!shown) return undefined;
  if (![shown.name, ...shown.tags].every((text) => typeof text === 'string' && text !== ''))
    throw new TypeError('Its name, or what it is listed under, is no text.');
  return { ...shown, tags: [...new Set(shown.tags)].sort() };
}
