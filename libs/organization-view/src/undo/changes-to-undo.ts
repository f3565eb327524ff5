import type { Recorded } from '@charter/decider';
import { type ChangedPart, changedPart, type Organization, type OrganizationEvent } from '@charter/organization';
import { z } from 'zod';
import { Revision } from '../answer-fields';
import { pointerOf } from '../differences/json-pointer';
import { isWithin, type Path } from './differing-paths';
import { undoPath, undoRow } from './undo-parts';

/**
 * The events to undo: from `first` to `last`. `only` contains the paths of the keyed document to which the undo is
 * limited.
 */
export type UndoRange = Readonly<{ first: number; last: number; only?: readonly Path[] | undefined }>;

/** A part of the state that the undone events changed, and the part's value before these events. */
export type ChangeToUndo = Readonly<{ part: ChangedPart; target: unknown; paths: readonly Path[] }>;

/** A later event that changed a value that the undone events had changed. */
export const LaterEvent = z
  .strictObject({ path: z.string(), revision: Revision, type: z.string() })
  .meta({ id: 'LaterEvent', description: 'The newest later event that changed the value at this path' });
export type LaterEvent = Readonly<z.infer<typeof LaterEvent>>;

/** The changes of the undone events, without the values that later events have changed again. */
export type ChangesToUndo = Readonly<{ changes: readonly ChangeToUndo[]; later: readonly LaterEvent[] }>;

type Collector = Readonly<{
  /** The caller passes each event from `first` to the end of the history, in order. `fold` may change `before`. */
  take: (event: Recorded<OrganizationEvent>, before: Organization, fold: () => Organization) => void;
  result: () => ChangesToUndo;
}>;

/** A part that events of the range name, with its values before and after the range. */
type TouchedPart = {
  part: ChangedPart;
  before: unknown;
  after: unknown;
  /** The paths in this part that events after the range changed. */
  changedLater: Path[];
};

/**
 * Collects the changes of the events in a range, and the later events about the same values. The size of the collection
 * depends on the number of parts that the events name, not on the number of events.
 */
export function collectChangesToUndo({ first, last, only }: UndoRange, product: string): Collector {
  const touched = new Map<string, TouchedPart>();
  const later = new Map<string, LaterEvent>();
  const isWanted = (path: Path) =>
    only === undefined || only.some((wanted) => isWithin(wanted, path) || isWithin(path, wanted));
  const changedPaths = ({ part, before, after }: TouchedPart) =>
    undoRow(part[0])
      .differences(before, after)
      .filter((below) => isWanted(undoPath(part, below, product)));

  const takeLater = (known: TouchedPart, { revision, type }: Recorded<OrganizationEvent>, paths: readonly Path[]) => {
    const watched = changedPaths(known);
    for (const below of paths) {
      if (!watched.some((path) => isWithin(below, path) || isWithin(path, below))) continue;
      const path = pointerOf(undoPath(known.part, below, product));
      later.set(path, { path, revision, type });
      if (!known.changedLater.some((other) => isWithin(other, below))) known.changedLater.push(below);
    }
  };

  return {
    take: (event, before, fold) => {
      const part = changedPart(event);
      const [field, id = ''] = part;
      const key = pointerOf([field, id]);
      const known = touched.get(key);
      const { read, differences, laterDifferences = differences } = undoRow(field);
      if (event.revision < first || (event.revision > last && !known)) return void fold();
      const valueBefore = read(before, id);
      const valueAfter = read(fold(), id);
      if (event.revision > last) {
        takeLater(known!, event, laterDifferences(valueBefore, valueAfter));
        return;
      }
      touched.set(key, { part, before: known ? known.before : valueBefore, after: valueAfter, changedLater: [] });
    },
    result: () => {
      const changes = [...touched.values()].flatMap((known) => {
        const paths = changedPaths(known).filter((path) => !known.changedLater.some((other) => isWithin(other, path)));
        return paths.length > 0 ? [{ part: known.part, target: known.before, paths }] : [];
      });
      return { changes, later: [...later.values()].toSorted((one, other) => one.revision - other.revision) };
    },
  };
}
