import type { Cause, Difference } from '@charter/client';
import { eventGroups, groupAbout, type HistoryGroup } from '../wording/event-types';
import type { HistoryWords } from '../wording/useHistoryWords';
import { inWords, pointerNames, titleOf } from './value-words';

export type DifferenceLine = Readonly<{
  group: DifferenceGroup;
  /** The path in the patch; for a limit or a feature, a path such as `/limits/users`. */
  path: string;
  title: string;
  /** The values in words; undefined where the field has no value. */
  before: string | undefined;
  after: string | undefined;
  causes: readonly Cause[];
  causesInAll: number;
}>;

type DifferenceGroup = HistoryGroup | 'features';

/** The group of lines for each group of events that has no group of lines with the same name. */
const shownIn: { readonly [Group in HistoryGroup]?: DifferenceGroup } = {
  ...{ 'add-ons': 'plan', founding: 'settings', billing: 'settings' },
};
/** The document's fields whose events belong to a subject with another name. */
const subjectOfField: Readonly<Record<string, string>> = { limitsByHand: 'limits', override: 'limits' };

/** The group of lines that shows a field. The first type of events about the field decides. */
function groupOfField(field: string): DifferenceGroup {
  const group = groupAbout(subjectOfField[field] ?? field) ?? 'settings';
  return shownIn[group] ?? group;
}

/**
 * All groups of lines, in the order of the page. A group of events that this list does not name comes before the
 * settings.
 */
export const differenceGroups: readonly DifferenceGroup[] = [
  ...new Set<DifferenceGroup>([
    ...(['plan', 'limits', 'features'] as const),
    ...eventGroups.filter((group) => !(group in shownIn) && group !== 'settings' && group !== 'traffic'),
    ...(['settings', 'traffic'] as const),
  ]),
];

/** The lines of a difference in words, in the order of the groups. */
export function linesOf(
  { state, entitlements }: Pick<Difference, 'state' | 'entitlements'>,
  words: HistoryWords,
): readonly DifferenceLine[] {
  const { name } = words;
  const limits = Object.entries(entitlements.limits).map(([resource, line]): DifferenceLine => {
    const [before, after] = limitsInWords(line.before, line.after, words);
    return { ...line, ...{ group: 'limits', path: `/limits/${resource}`, title: name(resource), before, after } };
  });
  const features = Object.entries(entitlements.features).map(([feature, line]): DifferenceLine => {
    const [before, after] = [line.before, line.after].map((on) => inWords(on, words));
    return { ...line, ...{ group: 'features', path: `/features/${feature}`, title: name(feature), before, after } };
  });
  const changed = state.map(({ path, before, value, causes, causesInAll, op }): DifferenceLine => {
    const names = pointerNames(path);
    return {
      group: groupOfField(names[0] ?? ''),
      ...{ path, causes, causesInAll, title: titleOf(names, value ?? before, words) },
      before: op === 'add' ? undefined : inWords(before, words, names),
      after: op === 'remove' ? undefined : inWords(value, words, names),
    };
  });
  const all = [...limits, ...features, ...changed];
  return differenceGroups.flatMap((group) => all.filter((line) => line.group === group));
}

type Limits = Difference['entitlements']['limits'];
type LimitSnapshot = NonNullable<Limits[keyof Limits]>['before'];

/**
 * Both states of a limit in words. If neither the use nor the limit differs, the words also contain the configured
 * limit and the hard limit.
 */
function limitsInWords(before: LimitSnapshot, after: LimitSnapshot, { text, number }: HistoryWords) {
  const amount = (value: number | null) => (value === null ? text('limits.no-limit') : number(value));
  const short = ({ used, limit }: LimitSnapshot) =>
    limit === null
      ? text('limits.unlimited', { used: number(used) })
      : text('limits.used', { used: number(used), limit: number(limit) });
  const long = (one: LimitSnapshot) =>
    text('value.limit', { short: short(one), configured: amount(one.configured), hard: amount(one.hard) });
  const print = short(before) === short(after) ? long : short;
  return [print(before), print(after)] as const;
}
