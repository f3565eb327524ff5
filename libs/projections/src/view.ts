import type { Evolution, Folded, Immutable, Message } from '@charter/decider';
import type { Json } from '@charter/event-log';
import type { Upcasting } from '@charter/event-log';

/** The definition of a read model: the streams that it covers, and the fold of each stream into one document. */
export type View<Draft, Event extends Message> = Evolution<Draft, Event> &
  Upcasting<Event> &
  Readonly<{
    name: string;
    /**
     * Raise this number with each change after which documents of the previous version cannot be folded further.
     * Charter then builds an edition of the new version beside the live edition.
     */
    version: number;
    /**
     * The oldest version whose list rows equal the list rows of this version. While an edition of this version is being
     * built, lists read the live edition if its version is at least `listedSince`. By default, `listedSince` is this
     * version.
     */
    listedSince?: number;
    /** Prefixes of the names of the streams that the view covers. */
    prefixes: readonly string[];
    /**
     * The document's row in lists; `undefined` if lists leave the document out. `row` must be a pure function of the
     * document.
     */
    row?: ListedRowOf<Draft>;
  }>;

export type ListedRowOf<Draft> = (document: Folded<Immutable<Draft>>) => ListedRow | undefined;

/**
 * A document's row in lists. Queries find the row by a part of its name, and by tags such as `plan:second/solo`. No tag
 * is empty.
 */
export type ListedRow = Readonly<{
  name: string;
  tags: readonly string[];
  columns: { readonly [column: string]: Json };
}>;

/**
 * Returns the document's row, with each tag once and the tags sorted.
 * @throws the view's errors, and TypeError if the name or a tag is not a text
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
