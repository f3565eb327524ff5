import type { Evolution, Folded, Immutable, Message } from '@charter/decider';
import type { Json } from '@charter/event-log';
import type { Upcasting } from '@charter/event-log';

/** A read model: the streams that it holds, and how each is folded into one document. */
export type View<Draft, Event extends Message> = Evolution<Draft, Event> &
  Upcasting<Event> &
  Readonly<{
    name: string;
    /** Raised when documents of the version before cannot be folded on. A new version is built beside the old one. */
    version: number;
    /**
     * The oldest version whose rows equal those of this one: while this version is built, lists come from the edition
     * before. By default only this version.
     */
    listedSince?: number;
    /** Prefixes of stream names. */
    prefixes: readonly string[];
    /** The document's row in lists; `undefined` if it is not listed. A pure function of the document. */
    row?: ListedRowOf<Draft>;
  }>;

export type ListedRowOf<Draft> = (document: Folded<Immutable<Draft>>) => ListedRow | undefined;

/** A document's row in lists: found by a part of its name, and by tags such as `plan:second/solo`; none is empty. */
export type ListedRow = Readonly<{
  name: string;
  tags: readonly string[];
  columns: { readonly [column: string]: Json };
}>;

/**
 * The document's row, with its tags sorted and without repetition.
 * @throws errors of the view, and TypeError for a name or tag that is not a text
 */
export function listedRowOf<Draft>(
  { row }: { row?: ListedRowOf<Draft> },
  document: Folded<Draft>,
): ListedRow | undefined {
  const shown = row?.(document);
  if (!shown) return undefined;
  if (![shown.name, ...shown.tags].every((text) => typeof text === 'string' && text !== ''))
    throw new TypeError('Its name or one of its tags is not a text.');
  return { ...shown, tags: [...new Set(shown.tags)].sort() };
}
