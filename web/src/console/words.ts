import { useLingui } from '@lingui/react';
import { createContext, useContext, useSyncExternalStore } from 'react';
import { dateFormat, numberFormat } from '../choices/cached-formats';
import { type MomentStyle, printedMoment, timeZone } from '../choices/time-zone';
import { useText } from '../text';
import { isRevision } from './moment/page-moment';
import { useConsoleConfig } from './page-config-context';

/**
 * The revision or the moment with which the page compares its values; undefined if the page compares them with the
 * present.
 */
export const OtherSideContext = createContext<string | undefined>(undefined);

/** The plans that have a message id `plan.PLAN`. The list is explicit, because other ids also begin with `plan.`. */
const plans = ['essential', 'professional', 'enterprise', 'solo', 'teams', 'light'];
/** The beginnings of the message ids for all other names, such as `resource.users`. */
const kinds = ['resource', 'feature', 'add-on', 'service-level', 'role', 'sites.feature'];

export type ConsoleWords = ReturnType<typeof useWords>;

/** Functions that print names, numbers and moments in the language of the page and in the chosen time zone. */
export function useWords() {
  const text = useText();
  const { i18n } = useLingui();
  const { facts } = useConsoleConfig();
  const otherSide = useContext(OtherSideContext);
  useSyncExternalStore(timeZone.listen, timeZone.current);
  const has = (id: string) => Object.hasOwn(i18n.messages, id);
  /**
   * Returns the words for a key, such as a limit, a feature or a role. A key without a message is returned unchanged.
   */
  const name = (key: string) => {
    const id = (plans.includes(key) ? ['plan'] : kinds).map((kind) => `${kind}.${key}`).find(has);
    return id === undefined ? key : text(id);
  };
  const planOfLine = (line: string, plan: string) =>
    line === 'second' ? text('plan.of-second-line', { product: facts.product, plan: name(plan) }) : name(plan);
  const numberOf = (value: number, style: Intl.NumberFormatOptions = {}) =>
    numberFormat(i18n.locale, style).format(value);
  const printedIn = (style: MomentStyle) => (moment: string | number) => printedMoment(moment, i18n.locale, style);
  const second = printedIn({ dateStyle: 'medium', timeStyle: 'medium' });
  /** The other side of the page's comparison: `#1,190`, or a moment; undefined for a comparison with the present. */
  const otherMoment = otherSide && (isRevision(otherSide) ? `#${numberOf(Number(otherSide))}` : second(otherSide));
  return {
    text,
    otherMoment,
    /** A value beside the value of the other side, if the two differ: `5 (now 8)` or `5 (at #1,190: 8)`. */
    compared: (past: string, other: string | undefined) =>
      other === undefined || other === past
        ? past
        : text(otherMoment ? 'moment.value.other' : 'moment.value', {
            past,
            present: other,
            moment: otherMoment ?? '',
          }),
    /** The language of the page, such as `fi`. */
    language: i18n.locale,
    /** Whether the language has a message with this id. */
    has,
    name,
    /** The name of an add-on. This is a separate function, because an add-on may have the same key as a feature. */
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
    /**
     * `part` as a percentage of `whole`. The result is 100 % only if `part` is at least `whole`, also after rounding.
     */
    percent: (part: number, whole: number) =>
      numberOf(part < whole ? Math.min(0.99, part / whole) : 1, { style: 'percent' }),
    /**
     * The date of a moment. Dates and times are in the same time zone, so that a moment has the same date on all pages.
     */
    day: printedIn(tickStyles.day),
    /** The time of day of a moment, with the time zone. */
    time: printedIn({ timeStyle: 'medium' }),
    /** The date and the time without seconds, with the time zone. */
    minute: printedIn({ dateStyle: 'medium', timeStyle: 'short' }),
    /** The date and the time with seconds, with the time zone. */
    second,
    /** A year, a month, a day or a time of day on an axis, without the time zone. */
    tick: (moment: string, unit: keyof typeof tickStyles) => printedIn(tickStyles[unit])(moment),
    /** A month of the traffic, from a text such as `2026-11`. The service counts months in UTC. */
    month: (month: string) =>
      dateFormat(i18n.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
        new Date(`${month}-01T00:00:00Z`),
      ),
  };
}

export const tickStyles = {
  year: { year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  day: { dateStyle: 'medium' },
  hour: { hour: 'numeric', minute: '2-digit' },
} as const;
