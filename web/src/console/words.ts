import { useLingui } from '@lingui/react';
import { useSyncExternalStore } from 'react';
import { dateFormat, numberFormat } from '../choices/cached-formats';
import { printedMoment, timeZone } from '../choices/time-zone';
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
const kinds = ['resource', 'feature', 'add-on', 'service-level', 'role', 'sites.feature'];

export type ConsoleWords = ReturnType<typeof useWords>;

/** Functions that print names, numbers and moments in the language of the page and in the chosen time zone. */
export function useWords() {
  const text = useText();
  const { i18n } = useLingui();
  const { facts } = useConsoleConfig();
  useSyncExternalStore(timeZone.listen, timeZone.current);
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
    /** The name of a plan such as `second/solo`. */
    plan: (what: string) => {
      const [line = '', plan = ''] = what.split('/');
      return plan ? planOfLine(line, plan) : name(what);
    },
    /** A list such as `Solo, Teams or Enterprise`. */
    oneOf: (names: readonly string[]) => new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(names),
    /** A list such as `logo, live and reports`. */
    list: (names: readonly string[]) => new Intl.ListFormat(i18n.locale, { type: 'conjunction' }).format(names),
    number: (value: number) => numberOf(value),
    /** A share in percent: 100 % only if the part is at least the whole. */
    percent: (part: number, whole: number) =>
      numberOf(part < whole ? Math.min(0.99, part / whole) : 1, { style: 'percent' }),
    /** The day of a moment. Days and times have the same time zone, so that a moment has one date on all pages. */
    day: (moment: string | number) => printedMoment(moment, i18n.locale, { dateStyle: 'medium' }),
    /** The time of day, with its time zone. */
    time: (moment: string | number) => printedMoment(moment, i18n.locale, { timeStyle: 'medium' }),
    /** Day and minute, with the time zone. */
    minute: (moment: string | number) =>
      printedMoment(moment, i18n.locale, { dateStyle: 'medium', timeStyle: 'short' }),
    /** Day and second, with the time zone. */
    second: (moment: string | number) =>
      printedMoment(moment, i18n.locale, { dateStyle: 'medium', timeStyle: 'medium' }),
    /** A year, a month, a day or a time of day on an axis, without the time zone. */
    tick: (moment: string, unit: keyof typeof tickStyles) => printedMoment(moment, i18n.locale, tickStyles[unit]),
    /** `2026-11`: a month of the traffic, which the service counts in UTC. */
    month: (month: string) =>
      dateFormat(i18n.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${month}-01T00:00:00Z`),
      ),
  };
}

const tickStyles = {
  year: { year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  day: { dateStyle: 'medium' },
  hour: { hour: 'numeric', minute: '2-digit' },
} as const;
