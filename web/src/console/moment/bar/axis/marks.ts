import type { TimelineMark } from '@charter/client';

/** The kind of change that a mark shows. */
export type MarkKind = 'plan' | 'limits' | 'override' | 'closing' | 'late';

/**
 * The kind of change that a mark of the timeline shows. A backdated event has the kind `late`, whatever the event
 * changes.
 */
export function markKind({ group, type, backDated }: TimelineMark): MarkKind {
  if (backDated) return 'late';
  if (group === 'founding') return 'closing';
  if (group !== 'limits') return 'plan';
  return type.startsWith('HardLimits') ? 'override' : 'limits';
}

/** The row of the picture in which a mark appears. */
export const laneOf = ({ group }: TimelineMark): 'plan' | 'limits' => (group === 'limits' ? 'limits' : 'plan');

/** The marks that stay bright because the person highlights a group or filters the page. All other marks are dim. */
export type Highlight = Readonly<{
  /** A group of event types; empty: all groups. */
  group: string;
  /** Whether the event of a mark matches the filter of the page. */
  matchesFilter: (mark: TimelineMark) => boolean;
}>;

export const isDim = (mark: TimelineMark, { group, matchesFilter }: Highlight): boolean =>
  (group !== '' && mark.group !== group) || !matchesFilter(mark);
