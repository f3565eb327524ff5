import { type Folded, type Moment, deepCopy } from '@charter/decider';
import { type OrganizationDraft, lists } from '@charter/organization';
import { LRUCache } from 'lru-cache';

/**
 * A folded state in memory, with the hash of its last event. If no other log has replaced the log, the stream's next
 * event contains the hash of the state's last event.
 */
export type FoldedSnapshot = Readonly<{
  folded: Folded<OrganizationDraft>;
  hash: string;
  /** The moment from which all events of the state are in force. */
  inForceBy: Moment;
  /**
   * The end of the chain at the stored state from which this process began to fold; undefined if it folded all events.
   * Before a server stores a later state, it verifies the chain from this end.
   */
  origin?: Readonly<{ events: number; head: string }> | undefined;
}>;

/**
 * Folded states of long histories, so that a reader of one part does not fold all events before this part. A full cache
 * drops the states that were used least recently.
 */
export type FoldedSnapshots = Readonly<{
  /**
   * A copy of the newest state at or before a revision. If `valid` is given, considers only states whose events are all
   * in force at this moment.
   */
  before: (stream: string, revision: number, valid?: Moment) => FoldedSnapshot | undefined;
  /** The revision of the state that `before` returns; −1 if the cache contains no such state. */
  revisionBefore: (stream: string, revision: number, valid?: Moment) => number;
  /** Copies a state into the cache. */
  add: (stream: string, snapshot: FoldedSnapshot) => void;
  /** Drops all states of a stream. */
  invalidate: (stream: string) => void;
}>;

/**
 * The maximum size of all cached states, counted in entries of their lists (members, sites and others). An entry takes
 * some 300 bytes.
 */
const ENTRIES_MAX = 200_000;
/** The maximum size of all cached states of one stream, in entries of lists. */
const STREAM_ENTRIES_MAX = ENTRIES_MAX / 2;
/** The maximum number of cached states of one stream. */
const STATES_MAX = 128;

export function createFoldedSnapshots(): FoldedSnapshots {
  const streams = new LRUCache<string, readonly FoldedSnapshot[]>({ maxSize: ENTRIES_MAX, sizeCalculation: sizeOf });
  const find = (stream: string, revision: number, valid?: Moment) =>
    streams
      .get(stream)
      ?.findLast(({ folded, inForceBy }) => folded.revision <= revision && (valid === undefined || inForceBy <= valid));
  return {
    before: (stream, revision, valid) => {
      const found = find(stream, revision, valid);
      return found && copiedSnapshot(found);
    },
    revisionBefore: (stream, revision, valid) => find(stream, revision, valid)?.folded.revision ?? -1,
    add: (stream, snapshot) => {
      const others = (streams.get(stream) ?? []).filter(({ folded }) => folded.revision !== snapshot.folded.revision);
      let states = [...others, copiedSnapshot(snapshot)].sort((a, b) => a.folded.revision - b.folded.revision);
      while (states.length > STATES_MAX || (states.length > 1 && sizeOf(states) > STREAM_ENTRIES_MAX))
        states = thinned(states);
      streams.set(stream, states);
    },
    invalidate: (stream) => void streams.delete(stream),
  };
}

export const copiedSnapshot = ({ folded, ...facts }: FoldedSnapshot): FoldedSnapshot => ({
  ...facts,
  folded: { ...folded, state: deepCopy(folded.state) },
});

/** The approximate size of a state: the number of entries in its lists and sales, and a constant for the rest. */
export const entriesIn = ({ sizes, plans, purchases }: OrganizationDraft): number =>
  [...Object.values(plans), ...Object.values(purchases)].reduce(
    (sum, { length }) => sum + length,
    lists.reduce((sum, list) => sum + sizes[list], 50),
  );

const sizeOf = (states: readonly FoldedSnapshot[]): number =>
  states.reduce((sum, { folded }) => sum + entriesIn(folded.state), 0);

/** Removes the state whose distance in revisions to the previous state is the smallest. */
function thinned(states: readonly FoldedSnapshot[]): FoldedSnapshot[] {
  const distances = states.map(({ folded }, at) => folded.revision - (states[at - 1]?.folded.revision ?? -1));
  const nearest = distances.indexOf(Math.min(...distances));
  return states.filter((_, at) => at !== nearest);
}
