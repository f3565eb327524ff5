import type { Folded, Recorded } from '@charter/decider';
import type { Organization, OrganizationDraft, OrganizationEvent } from '@charter/organization';
import type { Charter } from '../charter';
import { createFoldedSnapshots, type FoldedSnapshot, type FoldedSnapshots } from './folded-snapshots';

/** A function that gets each event before the fold of this event. The function must call `fold` once. */
export type EventVisitor = (
  event: Recorded<OrganizationEvent>,
  before: Folded<Organization>,
  fold: () => Folded<Organization>,
) => void;

/** Folds parts of long histories. A replay begins with the newest cached state, and caches states for later replays. */
export type SnapshotReplay = Readonly<{
  /**
   * Passes the events after the newest cached state at or before `from` to a visitor, up to and including `to`.
   * @param begin makes the visitor. `begin` gets the cached state, or undefined if the replay begins with the first
   * event. The replay calls `begin` a second time if the cached state belongs to a log that another log has replaced.
   * @throws UnknownRevision if `to` is beyond the end; UnreadableStream; the reason of `gone`
   */
  replay: (
    stream: string,
    range: Readonly<{ from: number; to: number }>,
    begin: (start: Folded<Organization> | undefined) => EventVisitor,
    gone?: AbortSignal,
  ) => Promise<void>;
  /** The number of events that `replay` would fold before the event after `from`. */
  distance: (stream: string, from: number) => number;
}>;

/** The number of events between two states that a long replay caches. */
const SNAPSHOT_EVERY = 5_000;

/**
 * Passes the events after a state to a visitor, up to and including `to`. The fold changes the given state.
 * @param start if undefined, the visitor gets all events up to `to`
 * @throws an error that `isReplaced` accepts if the events do not continue `start`, because another log replaced the
 * log; UnknownRevision if `to` is beyond the end; UnreadableStream; the reason of `gone`
 */
export const replayAfter = (
  organizations: Charter['organizations'],
  stream: string,
  { start, to }: Readonly<{ start: FoldedSnapshot | undefined; to: number }>,
  visit: EventVisitor,
  gone: AbortSignal | undefined,
): Promise<Folded<Organization> | undefined> => {
  const begun = start?.folded.revision;
  return organizations.replay(
    stream,
    { until: { revision: to }, signal: gone },
    (event, before, apply) => {
      const { revision, metadata } = event;
      if (start && revision - 1 === begun && metadata.previousHash !== start.hash) throw new ReplacedHistory();
      visit(event, before, apply!); // without `valid`, a replay folds every event
    },
    start?.folded,
  );
};

export function createSnapshotReplay(
  { organizations }: Pick<Charter, 'organizations'>,
  snapshots: FoldedSnapshots = createFoldedSnapshots(),
): SnapshotReplay {
  const replayFrom = async (
    start: FoldedSnapshot | undefined,
    stream: string,
    to: number,
    visit: EventVisitor,
    gone: AbortSignal | undefined,
  ): Promise<void> => {
    const visitAndCache: EventVisitor = (event, before, fold) => {
      let after: Folded<Organization> = before;
      visit(event, before, () => (after = fold()));
      const { revision, metadata } = event;
      if (revision === to || revision % SNAPSHOT_EVERY === 0)
        snapshots.add(stream, { folded: after as Folded<OrganizationDraft>, hash: metadata.hash });
    };
    await replayAfter(organizations, stream, { start, to }, visitAndCache, gone);
  };

  return {
    replay: async (stream, { from, to }, begin, gone) => {
      const start = snapshots.before(stream, from);
      try {
        await replayFrom(start, stream, to, begin(start?.folded), gone);
      } catch (error) {
        if (!isReplaced(error)) throw error;
        snapshots.invalidate(stream);
        await replayFrom(undefined, stream, to, begin(undefined), gone);
      }
    },
    distance: (stream, from) => from - snapshots.revisionBefore(stream, from),
  };
}

/** The replay that all readers of a process share, so that the process has only one cache. */
export function sharedSnapshotReplay(organizations: Charter['organizations']): SnapshotReplay {
  const shared = replays.get(organizations) ?? createSnapshotReplay({ organizations });
  replays.set(organizations, shared);
  return shared;
}
const replays = new WeakMap<Charter['organizations'], SnapshotReplay>();

/** Thrown when the events do not continue a cached state, because another log replaced the log (`event-log.md` D5). */
class ReplacedHistory extends Error {}
/** Whether a replay failed with `ReplacedHistory`; a replay wraps the errors of its visitor. */
export const isReplaced = (error: unknown): boolean =>
  error instanceof ReplacedHistory || (error instanceof Error && error.cause instanceof ReplacedHistory);
