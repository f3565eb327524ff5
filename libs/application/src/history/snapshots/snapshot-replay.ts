import { inForceFrom } from '@charter/aggregates';
import { beginning, type Folded, type Moment, type Recorded } from '@charter/decider';
import type { Organization, OrganizationDraft, OrganizationEvent } from '@charter/organization';
import type { Organizations } from '../../organizations/organizations';
import type { StoredSnapshots } from './stored-snapshots';
import { createFoldedSnapshots, type FoldedSnapshot, type FoldedSnapshots } from './folded-snapshots';

/**
 * A function that gets each event before the fold of this event. The function must call `fold` once. `fold` leaves the
 * state as it is if the event is not in force.
 */
export type EventVisitor = (
  event: Recorded<OrganizationEvent>,
  before: Folded<Organization>,
  fold: () => Folded<Organization>,
  isInForce: boolean,
) => void;

/** Which events a replay folds. */
type SnapshotRange = Readonly<{
  to: number;
  /** If given, the replay folds only events in force at this moment (`decisions.md` 24). */
  valid?: Moment | undefined;
}>;

/** Folds parts of long histories. A replay begins with the newest cached state, and caches states for later replays. */
export type SnapshotReplay = Readonly<{
  /**
   * Begins with the newest cached state at or before `from`. Passes the later events, up to and including `to`, to a
   * visitor. Resolves with the state at `to`; undefined if there are no events.
   * @param begin makes the visitor. `begin` gets the cached state, or undefined if the replay begins with the first
   * event. The replay calls `begin` a second time if the cached state belongs to a log that another log has replaced.
   * @throws UnknownRevision if `to` is beyond the end; UnreadableStream; the reason of `gone`
   */
  replay: (
    stream: string,
    range: SnapshotRange & Readonly<{ from: number }>,
    begin: (start: Folded<Organization> | undefined) => EventVisitor,
    gone?: AbortSignal,
  ) => Promise<Folded<Organization> | undefined>;
  /**
   * Passes the events after a state to a visitor, up to and including `to`. The fold changes the given state.
   * @param start if undefined, the visitor gets all events up to `to`
   * @throws an error that `isReplaced` accepts if the events do not continue `start`, because another log replaced the
   * log; UnknownRevision if `to` is beyond the end; UnreadableStream; the reason of `gone`
   */
  replayAfter: (
    stream: string,
    range: SnapshotRange & Readonly<{ start: FoldedSnapshot | undefined }>,
    visit: EventVisitor,
    gone: AbortSignal | undefined,
  ) => Promise<FoldedSnapshot | undefined>;
  /** Loads the newest stored state at or before a revision into the cache, if no cached state is near. */
  load: (stream: string, revision: number, valid?: Moment) => Promise<void>;
  /** The number of events up to and including `from` that `replay` would read. `replay` may load a stored state. */
  distance: (stream: string, from: number, valid?: Moment) => number;
}>;

/**
 * The number of events between two states that a long replay caches. With cached states at this distance, a read folds
 * only a few events, so the API does not limit this read as a long read (`gate.ts`).
 */
const SNAPSHOT_EVERY = 1_000;

type SnapshotOptions = Readonly<{
  snapshots?: FoldedSnapshots;
  every?: number;
  stored?: StoredSnapshots | undefined;
}>;

export function createSnapshotReplay(
  { organizations }: Readonly<{ organizations: Organizations }>,
  { snapshots = createFoldedSnapshots(), every = SNAPSHOT_EVERY, stored }: SnapshotOptions = {},
): SnapshotReplay {
  const replayAfter: SnapshotReplay['replayAfter'] = async (stream, { start, to, valid }, visit, gone) => {
    const begun = start?.folded.revision;
    const origin = start?.origin;
    let { hash, inForceBy } = start ?? { hash: '', inForceBy: beginning };
    let foldsAll = true;
    const collector = stored?.collector(stream, to, origin);
    const folded = await organizations.replay(
      stream,
      { until: { revision: to }, valid, signal: gone },
      (event, before, apply) => {
        const { revision, metadata } = event;
        if (start && revision - 1 === begun && metadata.previousHash !== start.hash) throw new ReplacedHistory();
        let after: Folded<Organization> = before;
        visit(event, before, () => (after = apply?.() ?? before), apply !== undefined);
        ({ hash } = metadata);
        inForceBy = later(inForceBy, inForceFrom(event));
        foldsAll &&= apply !== undefined;
        if (!foldsAll || (revision !== to && revision % every !== 0)) return;
        const snapshot = { folded: after as Folded<OrganizationDraft>, hash, inForceBy, origin };
        snapshots.add(stream, snapshot);
        collector?.take(snapshot);
      },
      start?.folded,
    );
    collector?.store();
    return folded && { folded: folded as Folded<OrganizationDraft>, hash, inForceBy, origin };
  };

  const load: SnapshotReplay['load'] = async (stream, revision, valid) => {
    const after = snapshots.revisionBefore(stream, revision, valid);
    if (!stored || revision - after < every) return;
    const found = await stored.newest(stream, { after, until: revision, valid });
    if (found) snapshots.add(stream, found);
  };

  return {
    replay: async (stream, { from, ...range }, begin, gone) => {
      await load(stream, from, range.valid);
      const start = snapshots.before(stream, from, range.valid);
      const read = async (known: FoldedSnapshot | undefined) =>
        (await replayAfter(stream, { ...range, start: known }, begin(known?.folded), gone))?.folded;
      try {
        return await read(start);
      } catch (error) {
        if (!isReplaced(error)) throw error;
        snapshots.invalidate(stream);
        stored?.invalidate(stream);
        return read(undefined);
      }
    },
    replayAfter,
    load,
    distance: (stream, from, valid) => from - snapshots.revisionBefore(stream, from, valid),
  };
}

const later = (one: Moment, other: Moment): Moment => (one > other ? one : other);

/** Thrown when the events do not continue a cached state, because another log replaced the log (`event-log.md` D5). */
class ReplacedHistory extends Error {}
/** Whether a replay failed with `ReplacedHistory`; a replay wraps the errors of its visitor. */
export const isReplaced = (error: unknown): boolean =>
  error instanceof ReplacedHistory || (error instanceof Error && error.cause instanceof ReplacedHistory);
