import type { TimelineMark } from '@charter/client';

/** The kind of change that a mark shows. */
export type MarkKind = 'plan' | 'limits' | 'override' | 'closing' | 'late';

/** The kind of a mark. A backdated event has the kind `late`, whatever the event changes. */
export function markKind({ group, type, backDated }: TimelineMark): MarkKind {
  if (backDated) return 'late';
  if (group === 'founding') return 'closing';
  if (group !== 'limits') return 'plan';
  return type.startsWith('HardLimits') ? 'override' : 'limits';
}

/** The lane of a mark. */
export const laneOf = ({ group }: TimelineMark): 'plan' | 'limits' => (group === 'limits' ? 'limits' : 'plan');

/** The part of the history that the person highlights. Everything else is dim. */
export type Highlight = Readonly<{
  /** A group of event types; empty: all groups. */
  group: string;
  /** The event types in the filter of the page; undefined: all types. */
  types: readonly string[] | undefined;
}>;

export const isDim = (mark: TimelineMark, { group, types }: Highlight): boolean =>
  (group !== '' && mark.group !== group) || (types !== undefined && !types.includes(mark.type));

/** The event types in the address of a page with a filter. */
export function filteredTypes(search: string): readonly string[] | undefined {
  const types = new URLSearchParams(search).get('type');
  return types === null || types === '' ? undefined : types.split(',');
}
