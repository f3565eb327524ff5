import type { Folded } from '@charter/decider';
import { type OrganizationDraft, lists } from '@charter/organization';
import { LRUCache } from 'lru-cache';

/** A folded state in memory, with the hash of its last event. The next event of the same log contains this hash. */
export type FoldedSnapshot = Readonly<{ folded: Folded<OrganizationDraft>; hash: string }>;

/**
 * Folded states of long histories, so that a reader of one part does not fold all events before it. A full cache drops
 * the states that were used least recently.
 */
export type FoldedSnapshots = Readonly<{
  /** A copy of the newest state at or before a revision. */
  before: (stream: string, revision: number) => FoldedSnapshot | undefined;
  /** The revision of the newest cached state at or before a revision; −1 if the cache contains no such state. */
  revisionBefore: (stream: string, revision: number) => number;
  /** Copies a state into the cache. */
  add: (stream: string, snapshot: FoldedSnapshot) => void;
  /** Drops all states of a stream. */
  invalidate: (stream: string) => void;
}>;

/** The maximum size of all cached states, counted in entries of lists. An entry takes some 300 bytes. */
const ENTRIES_MAX = 200_000;
/** The maximum number of cached states of one stream. */
const STATES_MAX = 32;

export function createFoldedSnapshots(): FoldedSnapshots {
  const streams = new LRUCache<string, readonly FoldedSnapshot[]>({
    maxSize: ENTRIES_MAX,
    sizeCalculation: (states) => states.reduce((sum, { folded }) => sum + entriesIn(folded.state), 0),
  });
  const find = (stream: string, revision: number) =>
    streams.get(stream)?.findLast(({ folded }) => folded.revision <= revision);
  return {
    before: (stream, revision) => {
      const found = find(stream, revision);
      return found && copiedSnapshot(found);
    },
    revisionBefore: (stream, revision) => find(stream, revision)?.folded.revision ?? -1,
    add: (stream, snapshot) => {
      const others = (streams.get(stream) ?? []).filter(({ folded }) => folded.revision !== snapshot.folded.revision);
      const states = [...others, copiedSnapshot(snapshot)].sort((a, b) => a.folded.revision - b.folded.revision);
      streams.set(stream, states.length > STATES_MAX ? thinned(states) : states);
    },
    invalidate: (stream) => void streams.delete(stream),
  };
}

export const copiedSnapshot = ({ folded, hash }: FoldedSnapshot): FoldedSnapshot => ({
  folded: { ...folded, state: structuredClone(folded.state) },
  hash,
});

/** The approximate size of a state: the number of entries in all lists, and a constant for everything else. */
export const entriesIn = ({ sizes }: OrganizationDraft): number => lists.reduce((sum, list) => sum + sizes[list], 50);

/** Removes the state whose distance in revisions to the previous state is the smallest. */
function thinned(states: readonly FoldedSnapshot[]): readonly FoldedSnapshot[] {
  const distances = states.map(({ folded }, at) => folded.revision - (states[at - 1]?.folded.revision ?? -1));
  const nearest = distances.indexOf(Math.min(...distances));
  return states.filter((_, at) => at !== nearest);
}
