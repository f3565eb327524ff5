import { UnknownRevision } from '@charter/aggregates';
import type { Folded, Recorded } from '@charter/decider';
import { type Organization, type OrganizationEvent, organizationStream } from '@charter/organization';
import { type ChangesToUndo, collectChangesToUndo, type UndoRange } from '@charter/organization-view';
import type { Charter } from '../charter';

/** The events to undo. Without `last`, all events from `first` to the end of the history. */
type UndoWanted = Omit<UndoRange, 'last'> & Readonly<{ last?: number | undefined }>;

/** The changes that the events have made, and the present state. */
export type ReadUndo = ChangesToUndo &
  Readonly<{
    present: Folded<Organization>;
    /** Whether one commit recorded all events to undo. All events of a commit have the same command id. */
    isOneCommit: boolean;
  }>;

/**
 * Reads the values that some events of an organization have changed, and the later events that have changed these
 * values again.
 */
export type UndoReader = Readonly<{
  /**
   * Undefined if the organization does not exist.
   * @throws UnknownRevision if an event to undo is beyond the end; UnreadableStream; the reason of `gone`
   */
  read: (
    of: Readonly<{ id: string; product: string }>,
    wanted: UndoWanted,
    gone?: AbortSignal,
  ) => Promise<ReadUndo | undefined>;
  /** The number of events that `read` would fold. */
  distance: (id: string, first: number) => Promise<number>;
}>;

export function createUndoReader({
  organizations,
  snapshotReplay: { replay, distance },
}: Pick<Charter, 'organizations' | 'snapshotReplay'>): UndoReader {
  const headOf = (stream: string) => organizations.query(stream, ({ revision }) => revision);
  return {
    read: async ({ id, product }, { first, last: wantedLast, only }, gone) => {
      const stream = organizationStream(id);
      const head = await headOf(stream);
      if (head < 0) return undefined;
      const last = wantedLast ?? head;
      const furthest = wantedLast ?? first - 1;
      if (furthest > head) throw new UnknownRevision(stream, furthest, head);
      const collect = () => collectChangesToUndo({ first, last, only }, product);
      let collected = collect();
      let commit = sameCommit({ first, last });
      const present = await replay(
        stream,
        { from: Math.min(first, head) - 1, to: head },
        () => {
          const { take } = (collected = collect());
          const { note } = (commit = sameCommit({ first, last }));
          return (event, { state }, fold) => {
            note(event);
            take(event, state, () => fold().state);
          };
        },
        gone,
      );
      return { present: present!, isOneCommit: commit.isOne(), ...collected.result() };
    },
    distance: async (id, first) => {
      const stream = organizationStream(id);
      const head = await headOf(stream);
      const from = Math.min(first, head) - 1;
      return head - from + distance(stream, from);
    },
  };
}

/** Compares the command ids of the events in a range. */
function sameCommit({ first, last }: UndoRange) {
  let command: string | undefined;
  let isOne = true;
  return {
    note: ({ revision, metadata }: Recorded<OrganizationEvent>) => {
      if (revision < first || revision > last) return;
      isOne &&= command === undefined || command === metadata.command;
      command = metadata.command;
    },
    isOne: () => isOne,
  };
}
