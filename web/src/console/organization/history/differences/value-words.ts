import type { PreviewReason } from '@charter/client';
import { hasDomains, isDocumentList } from '../../../document-lists';
import { reasonOf } from '../../../overview/feature-reasons';
import { termOf } from '../../../overview/limit-terms';
import { typed } from '../wording/typed-text';
import type { HistoryWords } from '../wording/useHistoryWords';

type Names = readonly string[];
type Fields = Readonly<Record<string, unknown>>;

/** The field names and ids in a JSON pointer (RFC 6901). */
export const pointerNames = (path: string): Names =>
  path
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * The name of a field in words.
 * @param names the field names and ids in the path of the field
 * @param value the value of the field, which may itself contain a name; undefined if the caller knows no value
 */
export function titleOf(names: Names, value: unknown, words: HistoryWords): string {
  const { text, name, person, productKey } = words;
  const [field = '', id = '', ...rest] = withoutForm(names);
  const part = partName(field, words);
  if (id === '') return part;
  const subject = (own: string) => [own, ...rest.map((one) => partName(one, words))];
  if (field === `${productKey}Details`) return subject(partName(id, words)).join(': ');
  switch (field) {
    case 'plans':
      return text('part.plan-of-line', { line: id });
    case 'addOns':
      return text('part.add-on', { addOn: words.addOn(textIn(value, 'addOn') ?? id) });
    case 'members':
      return subject(person(id)).join(': ');
    case 'sites':
      return subject(entryName(id, value, words)).join(': ');
    case 'limits':
    case 'features':
      return subject(name(id)).join(': ');
    case 'limitsByHand':
      return `${part}: ${name(id)}`;
    case 'traffic':
      return /^\d{4}-\d\d$/.test(id) ? text('part.traffic-of', { month: words.month(id) }) : part;
    default:
      return subject(`${part}: ${isDocumentList(field) ? entryName(id, value, words) : partName(id, words)}`).join(
        ': ',
      );
  }
}

/** A value in words. An object becomes a list of its fields in words, because no page shows JSON. */
export function inWords(value: unknown, words: HistoryWords, names: Names = []): string {
  const { text, name, number, second } = words;
  const [field = '', id = '', ...rest] = withoutForm(names);
  const last = names.at(-1) ?? '';
  if (value === null && isAmount([field, id, ...rest])) return text('limits.no-limit');
  if (value === null || value === undefined) return text('moment.none');
  if (typeof value === 'boolean') return text(value ? 'value.on' : 'value.off');
  if (typeof value === 'number') return number(value);
  if (typeof value === 'string') {
    if (last === 'role' || last === 'serviceLevel') return name(value);
    if (last === 'plan') return field === 'plans' ? words.planOfLine(id, value) : name(value);
    if (last === 'addOn') return words.addOn(value);
    return moments.has(last) ? second(value) : typed(value);
  }
  if (Array.isArray(value)) return listInWords(value, field, words);
  return objectInWords(value as Fields, words, [field, id, ...rest].filter(Boolean));
}

/** The fields whose values are moments. */
const moments: ReadonlySet<string> = new Set(['at', 'effectiveAt', 'until']);

/** The fields that an entry shows only if no other field differs. */
const inBackground: ReadonlySet<string> = new Set([
  ...['_id', 'at', 'effectiveAt', 'event', 'purchase', 'roleSince', 'since', 'subscription', 'unicode'],
]);

function objectInWords(value: Fields, words: HistoryWords, names: Names): string {
  const { text, name, number, second, minute, planOfLine } = words;
  const [field = '', id = '', ...rest] = names;
  const own = (key: string) => textIn(value, key);
  if (names.length === 2) {
    if (field === 'plans' && own('plan')) return planOfLine(id, own('plan')!);
    if (field === 'addOns' && own('addOn')) {
      const quantity = number(Number(value['quantity']));
      return text('value.add-on', { addOn: words.addOn(own('addOn')!), quantity });
    }
    if (field === 'members' && own('role')) return name(own('role')!);
    if (field === 'limits') return limitInWords(value, words, names);
    if (field === 'features') return featureInWords(value, words);
  }
  if (rest.length === 0) {
    if (field === 'traffic') return trafficInWords(value, words);
    if (hostnameOf(value) !== undefined) return hostnameOf(value)!;
    if (own('reason'))
      return [typed(own('reason')!), own('until') && second(own('until')!)].filter(Boolean).join(' · ');
    if (typeof value['enabled'] === 'boolean') return inWords(value['enabled'], words);
  }
  if (typeof value['event'] === 'number' && own('at'))
    return text('why.event', { event: number(value['event']), moment: minute(own('at')!) });
  return names.length === 1 ? entriesInWords(value, words, names) : fieldsInWords(value, words, names);
}

/**
 * The fields of an entry in words, each with its name. For an inner object, the text contains its fields, but not its
 * name.
 */
function fieldsInWords(value: Fields, words: HistoryWords, names: Names): string {
  const all = Object.entries(value).filter(([key]) => key !== '_id');
  const shown = all.filter(([key]) => !inBackground.has(key));
  const parts = (shown.length > 0 ? shown : all).map(([key, inner]) => {
    const printed = inWords(inner, words, [...names, key]);
    return isFields(inner) ? printed : `${partName(key, words)}: ${printed}`;
  });
  return joined(parts, words);
}

/** The lists whose entries need a title, because the words for an entry do not contain its name. */
const named: ReadonlySet<string> = new Set(['members', 'limits', 'features', 'plans']);

/** The entries of a list, such as all members whom an event removed. */
function entriesInWords(value: Fields, words: HistoryWords, [field = '']: Names): string {
  const parts = Object.entries(value).map(([key, inner]) => {
    const printed = inWords(inner, words, [field, key]);
    if (!named.has(field) && isFields(inner)) return printed;
    const isFeature = field === `${words.productKey}Features`;
    const title = isFeature
      ? words.name(key)
      : named.has(field)
        ? titleOf([field, key], inner, words)
        : partName(key, words);
    return `${title}: ${printed}`;
  });
  return joined(parts, words, '; ');
}

/** A list of reasons, or of texts. */
function listInWords(list: readonly unknown[], field: string, words: HistoryWords): string {
  const inText = field === 'features' ? reasonOf : termOf;
  const parts = list.map((one) =>
    textIn(one, 'kind') === undefined ? inWords(one, words) : inText(one as PreviewReason, words),
  );
  return joined(parts, words);
}

/**
 * The changed fields of a limit: its use, amount, terms and gate (the feature that the limit needs). If only the
 * reasons differ, returns the reasons.
 */
function limitInWords(value: Fields, words: HistoryWords, names: Names): string {
  const { text, number, name } = words;
  const { used, limit, gate, because } = value;
  const labelled = (key: string) =>
    value[key] === undefined ? undefined : `${partName(key, words)}: ${inWords(value[key], words, [...names, key])}`;
  const isWhole = typeof used === 'number' && limit !== undefined;
  const parts = [
    isWhole
      ? limit === null
        ? text('limits.unlimited', { used: number(used) })
        : text('limits.used', { used: number(used), limit: number(Number(limit)) })
      : (labelled('used') ?? labelled('limit')),
    value['configured'] === limit ? undefined : labelled('configured'),
    value['hard'] === null ? undefined : labelled('hard'),
    labelled('overridden'),
    isFields(gate) ? `${name(textIn(gate, 'feature') ?? '')}: ${inWords(gate['on'], words)}` : undefined,
  ].filter((one) => one !== undefined);
  return parts.length > 0 ? joined(parts, words) : inWords(because, words, [...names, 'because']);
}

/** Whether a feature is on, and why. If only the reasons differ, returns only the reasons. */
function featureInWords({ on, because }: Fields, words: HistoryWords): string {
  const reasons = because === undefined ? [] : [inWords(because, words, ['features'])];
  return joined([...(on === undefined ? [] : [inWords(on, words)]), ...reasons], words);
}

/**
 * The traffic of a month in words. If the month stays the same, the difference does not contain it, and this function
 * takes the month from the reasons.
 */
function trafficInWords(value: Fields, words: HistoryWords): string {
  const { text, number, month } = words;
  const { views, allowance, because } = value;
  if (value['month'] === null) return text('traffic.none');
  const reasons = Array.isArray(because) ? (because as readonly PreviewReason[]) : [];
  const of = textIn(value, 'month') ?? reasons.find(({ kind }) => kind === 'report')?.what;
  if (typeof views !== 'number')
    return allowance === undefined
      ? inWords(because, words, ['traffic', 'because'])
      : `${partName('allowance', words)}: ${inWords(allowance, words, ['traffic', 'allowance'])}`;
  const shown =
    allowance === undefined
      ? text('value.views', { views: number(views) })
      : allowance === null
        ? text('traffic.unlimited', { views: number(views) })
        : text('traffic.used', { views: number(views), allowance: number(Number(allowance)) });
  return of === undefined ? shown : `${month(of)}: ${shown}`;
}

/** The name of a field in words. Some field names begin with the product key, which the words omit. */
function partName(one: string, { text, has, name, productKey }: HistoryWords): string {
  const key = one === productKey ? 'product' : one === `${productKey}User` ? 'productUser' : one;
  const message = [`part.${key}`, `group.${key}`, `subject.${key}`].find(has);
  return message === undefined ? name(key) : text(message);
}

/** The name of a list entry: its hostname, or the name that the page knows for the entry's id. */
const entryName = (id: string, value: unknown, { thing }: HistoryWords): string => hostnameOf(value) ?? thing(id);

/** Whether null means “no limit” at this path. */
const isAmount = ([field, id, part = '']: Names): boolean =>
  (field === 'limits' && ['limit', 'configured', 'hard', 'remaining'].includes(part)) ||
  (field === 'traffic' && id === 'allowance');

/**
 * The path without the field name `domains`. Without `domains`, the path of a domain has the same form as the paths of
 * other entries.
 */
const withoutForm = ([field = '', form, ...rest]: Names): Names =>
  isDocumentList(field) && hasDomains(field) && form === 'domains'
    ? [field, ...rest]
    : [field, ...(form === undefined ? [] : [form]), ...rest];

const joined = (parts: readonly string[], { text }: HistoryWords, separator = ' · '): string =>
  parts.length === 0 ? text('moment.none') : parts.join(separator);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of an object's field, if the value is a text that is not empty. */
function textIn(value: unknown, key: string): string | undefined {
  const found = isFields(value) ? value[key] : undefined;
  return typeof found === 'string' && found !== '' ? found : undefined;
}
const hostnameOf = (value: unknown) => textIn(value, 'unicode') ?? textIn(value, 'hostname');
