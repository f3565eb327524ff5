import type { Cause, Difference } from '@charter/client';
import { isDocumentList } from '../../../document-lists';
import { eventGroups, groupAbout, type HistoryGroup } from '../wording/event-types';
import type { HistoryWords } from '../wording/useHistoryWords';
import { typed } from '../wording/typed-text';

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

/** For each group of events that has no group of lines of its own: the group of lines in which its fields appear. */
const shownIn: { readonly [Group in HistoryGroup]?: DifferenceGroup } = {
  ...{ 'add-ons': 'plan', founding: 'settings', billing: 'settings' },
};
/** The fields that have another name than the subject of their events. */
const subjectOfField: Readonly<Record<string, string>> = { limitsByHand: 'limits', override: 'limits' };

/** The group of a field: the group of the first type of events about the field. */
function groupOfField(field: string): DifferenceGroup {
  const group = groupAbout(subjectOfField[field] ?? field) ?? 'settings';
  return shownIn[group] ?? group;
}

/** All groups of lines, in the order of the page. A new group of events comes before the settings. */
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

/** The names in a JSON pointer (RFC 6901). */
export const pointerNames = (path: string): readonly string[] =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * The name of a field in words.
 * @param names the names in the path of the field
 * @param value a value of the field, which may have a name of its own; undefined if the caller knows no value
 */
export function titleOf(names: readonly string[], value: unknown, words: HistoryWords): string {
  const { text, has, name, person, thing } = words;
  const [field = '', id = '', ...rest] = names;
  const partName = (one: string) => {
    const message = [`part.${one}`, `group.${one}`].find(has);
    return message === undefined ? name(one) : text(message);
  };
  const part = partName(field);
  if (id === '') return part;
  const subject = (own: string) => [own, ...rest.map(partName)];
  switch (field) {
    case 'plans':
      return text('part.plan-of-line', { line: id });
    case 'addOns':
      return text('part.add-on', { addOn: words.addOn(textIn(value, 'addOn') ?? id) });
    case 'members':
      return subject(person(id)).join(': ');
    case 'sites':
      return subject(hostnameOf(value) ?? thing(id)).join(': ');
    case 'limits':
    case 'features':
      return subject(name(id)).join(': ');
    case 'limitsByHand':
      return `${part}: ${name(id)}`;
    case 'traffic':
      return /^\d{4}-\d\d$/.test(id) ? text('part.traffic-of', { month: words.month(id) }) : part;
    default:
      return subject(`${part}: ${isDocumentList(field) ? (hostnameOf(value) ?? thing(id)) : id}`).join(': ');
  }
}

/** A value in words; an object of an unknown form becomes JSON. */
export function inWords(
  value: unknown,
  words: HistoryWords,
  [field, id = '', ...rest]: readonly string[] = [],
): string {
  const { text, name, number, second, planOfLine } = words;
  if (value === null || value === undefined) return text('moment.none');
  if (typeof value === 'boolean') return text(value ? 'value.on' : 'value.off');
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') return rest.at(-1) === 'role' || field === 'serviceLevel' ? name(value) : typed(value);
  const own = (key: string) => textIn(value, key);
  if (rest.length === 0) {
    if (field === 'plans' && own('plan')) return planOfLine(id, own('plan')!);
    if (field === 'addOns' && own('addOn'))
      return text('value.add-on', {
        addOn: words.addOn(own('addOn')!),
        quantity: number(Number(fieldOf(value, 'quantity'))),
      });
    if (field === 'members' && own('role')) return name(own('role')!);
    if (hostnameOf(value) !== undefined) return hostnameOf(value)!;
    if (own('reason'))
      return [typed(own('reason')!), own('until') && second(own('until')!)].filter(Boolean).join(' · ');
    if (typeof fieldOf(value, 'enabled') === 'boolean') return inWords(fieldOf(value, 'enabled'), words);
  }
  return typed(JSON.stringify(value));
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

/** The field of an object, if it is a text that is not empty. */
function textIn(value: unknown, key: string): string | undefined {
  const found = fieldOf(value, key);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
const hostnameOf = (value: unknown) => textIn(value, 'hostname');

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
