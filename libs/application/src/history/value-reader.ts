import type { ReadOrder } from '@charter/aggregates';
import { organizationStream } from '@charter/organization';
import { type ValueChange, valueChangeOf, type ValueOf } from '@charter/organization-view';
import type { Charter } from '../charter';

/** Which changes of a value are read: at most `limit`, before or after the revision `beyond`. */
type ValueChangesWanted = Readonly<{ order: ReadOrder; beyond?: number | undefined; limit: number }>;

/** A page of changes. `next` is the revision of the last change on this page; null if no further changes exist. */
export type ValueChanges = Readonly<{ changes: readonly ValueChange[]; next: number | null }>;

/** Reads the changes of one value of an organization, for example of its name. */
export type ValueReader = Readonly<{
  /**
   * Undefined if the organization does not exist. If changes are large, an answer has fewer changes than `limit`.
   * @param of contains a path that `isValuePath` accepts
   * @throws UnreadableStream; the reason of `gone`
   */
  read: (of: ValueOf, wanted: ValueChangesWanted, gone?: AbortSignal) => Promise<ValueChanges | undefined>;
}>;

/** The size in characters of JSON at which an answer is full: the reader adds no more changes to it. */
const SIZE_MAX = 1_000_000;
/**
 * The number of events in the first block of a read. Each further block has twice as many events as the previous block.
 */
const FIRST_BLOCK = 500;

/** A change, and its size in characters of JSON. */
type Found = Readonly<{ change: ValueChange; size: number }>;

export function createValueReader({
  organizations,
  snapshotReplay: { replay },
}: Pick<Charter, 'organizations' | 'snapshotReplay'>): ValueReader {
  /** Passes the changes after `from` to `take`, until `isFull` returns true. */
  const readBlock = (
    of: ValueOf,
    range: Readonly<{ from: number; to: number }>,
    begin: () => Readonly<{ take: (found: Found) => void; isFull: () => boolean }>,
    gone: AbortSignal | undefined,
  ) =>
    replay(
      organizationStream(of.id),
      range,
      () => {
        const { take, isFull } = begin();
        return (event, before, fold) => {
          if (event.revision <= range.from || isFull()) return void fold();
          const change = valueChangeOf(event, before, fold, of);
          if (change) take({ change, size: JSON.stringify(change).length });
        };
      },
      gone,
    );

  const readNewest = async (of: ValueOf, newest: number, limit: number, gone: AbortSignal | undefined) => {
    const found: Found[] = [];
    for (let [to, events] = [newest, FIRST_BLOCK]; to >= 0 && !isFull(found, limit); events *= 2) {
      const from = Math.max(-1, to - events);
      let block: Found[] = [];
      const take = (next: Found) => {
        block.push(next);
        while (isFull(block.slice(1), limit)) block.shift();
      };
      await readBlock(
        of,
        { from, to },
        () => {
          block = [];
          return { take, isFull: () => false };
        },
        gone,
      );
      found.push(...block.reverse());
      to = from;
    }
    return found;
  };

  const readOldest = async (of: ValueOf, after: number, head: number, limit: number, gone: AbortSignal | undefined) => {
    const found: Found[] = [];
    let [from, events] = [after, FIRST_BLOCK];
    while (from < head && !isFull(found, limit)) {
      const to = Math.min(head, from + events);
      const known = found.length;
      await readBlock(
        of,
        { from, to },
        () => {
          found.length = known;
          return { take: (next) => found.push(next), isFull: () => isFull(found, limit) };
        },
        gone,
      );
      [from, events] = [to, events * 2];
    }
    return found;
  };

  return {
    read: async (of, { order, beyond, limit }, gone) => {
      const head = await organizations.query(organizationStream(of.id), ({ revision }) => revision);
      if (head < 0) return undefined;
      const found =
        order === 'newest'
          ? await readNewest(of, Math.min(head, (beyond ?? Infinity) - 1), limit, gone)
          : await readOldest(of, beyond ?? -1, head, limit, gone);
      const count = shownOf(found, limit);
      const changes = found.slice(0, count).map(({ change }) => change);
      return { changes, next: found.length > count ? changes.at(-1)!.revision : null };
    },
  };
}

/** The number of changes that an answer shows. */
function shownOf(found: readonly Found[], limit: number): number {
  let size = 0;
  const beyond = found.findIndex((each, index) => {
    size += each.size;
    return index >= limit || (index > 0 && size > SIZE_MAX);
  });
  return beyond < 0 ? found.length : beyond;
}

/** Whether more changes were found than the answer shows. An answer that leaves out changes has a `next`. */
const isFull = (found: readonly Found[], limit: number): boolean => shownOf(found, limit) < found.length;
