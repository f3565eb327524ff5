import { useLingui } from '@lingui/react';
import { useText } from '../text';
import { useConsoleConfig } from './page-config-context';

/** The message ids for the plans in the catalogue, because other messages also begin with `plan.`. */
const plans: Readonly<Record<string, string>> = {
  essential: 'plan.essential',
  professional: 'plan.professional',
  enterprise: 'plan.enterprise',
  solo: 'plan.solo',
  teams: 'plan.teams',
  light: 'plan.light',
};
/** The beginnings of the message ids for all other names, such as `resource.users`. */
const kinds = ['resource', 'feature', 'add-on', 'service-level', 'role'];

export type ConsoleWords = ReturnType<typeof useWords>;

/** Creates each format once, because a new format costs more time than the text that it prints. */
function cachedFormats<Style, Format>(create: (locale: string, style: Style) => Format) {
  const known = new Map<string, Format>();
  return (locale: string, style: Style): Format => {
    const key = `${locale} ${JSON.stringify(style)}`;
    const format = known.get(key) ?? create(locale, style);
    known.set(key, format);
    return format;
  };
}
const numberFormat = cachedFormats((locale, style: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, style));
const dateFormat = cachedFormats((locale, style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, style));

/** Functions that print names, numbers and moments in the language of the page. */
export function useWords() {
  const text = useText();
  const { i18n } = useLingui();
  const { facts } = useConsoleConfig();
  const has = (id: string) => Object.hasOwn(i18n.messages, id);
  /** A name without a message is shown unchanged. */
  const name = (key: string) => {
    const id = Object.hasOwn(plans, key) ? plans[key] : kinds.map((kind) => `${kind}.${key}`).find(has);
    return id === undefined ? key : text(id);
  };
  const planOfLine = (line: string, plan: string) =>
    line === 'second' ? text('plan.of-second-line', { product: facts.product, plan: name(plan) }) : name(plan);
  const numberOf = (value: number, style: Intl.NumberFormatOptions = {}) =>
    numberFormat(i18n.locale, style).format(value);
  const dateOf = (moment: string | number, style: Intl.DateTimeFormatOptions) =>
    dateFormat(i18n.locale, style).format(new Date(moment));
  return {
    text,
    /** A past value beside the present value, if the two differ: `5 (now 8)`. */
    compared: (past: string, present: string | undefined) =>
      present === undefined || present === past ? past : text('moment.value', { past, present }),
    /** Whether the language has a message with this id. */
    has,
    name,
    /** An add-on may have the same key as a feature. */
    addOn: (key: string) => (has(`add-on.${key}`) ? text(`add-on.${key}`) : name(key)),
    planOfLine,
    /** `second/solo` */
    plan: (what: string) => {
      const [line = '', plan = ''] = what.split('/');
      return plan ? planOfLine(line, plan) : name(what);
    },
    /** `Solo, Teams or Enterprise` */
    oneOf: (names: readonly string[]) => new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(names),
    /** `logo, live and reports` */
    list: (names: readonly string[]) => new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(names),
    number: (value: number) => numberOf(value),
    /** A share in percent: 100 % only if the part is at least the whole. */
    percent: (part: number, whole: number) =>
      numberOf(part < whole ? Math.min(0.99, part / whole) : 1, { style: 'percent' }),
    day: (moment: string) => dateOf(moment, { dateStyle: 'medium' }),
    time: (moment: number) => dateOf(moment, { timeStyle: 'medium' }),
    minute: (moment: string) => dateOf(moment, { dateStyle: 'medium', timeStyle: 'short' }),
    /** With seconds, in UTC, so that evidence names the same moment in every time zone. */
    utc: (moment: string) => `${dateOf(moment, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })} UTC`,
    /** An hour or a minute, in UTC. */
    utcMinute: (moment: string) =>
      `${dateOf(moment, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`,
    /** A year, a month, a day or an hour on an axis, in UTC. */
    tick: (moment: string, unit: 'year' | 'month' | 'day' | 'hour') => dateOf(moment, tickStyles[unit]),
    /** `2026-11` */
    month: (month: string) => dateOf(`${month}-01T00:00:00Z`, { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  };
}

const tickStyles: Readonly<Record<'year' | 'month' | 'day' | 'hour', Intl.DateTimeFormatOptions>> = {
  year: { year: 'numeric', timeZone: 'UTC' },
  month: { month: 'short', year: 'numeric', timeZone: 'UTC' },
  day: { dateStyle: 'medium', timeZone: 'UTC' },
  hour: { timeStyle: 'short', timeZone: 'UTC' },
};
