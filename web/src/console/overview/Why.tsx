import type { Entitlements, Limit, PreviewReason, Since, Traffic } from '@charter/client';
import { type ComponentProps, lazy, type ReactNode } from 'react';
import { isolatedText } from '../organization/history/wording/typed-text';
import { EventDay } from '../organization/lists/EventDay';
import { ValuesLink } from '../organization/lists/ValuesLink';
import { MOMENT, Sentence } from '../page-parts/Moment';
import { partOf, termOf } from './limit-terms';
import styles from './Why.module.css';
import { WhyDetails } from './WhyDetails';
import { useWords, type ConsoleWords } from '../words';

const CountedEntries = lazy(() => import('./CountedEntries'));
const LastValueChange = lazy(() => import('./LastValueChange'));

/**
 * The calculation of a limit as a sentence. The person can open the sentence to see each term with its event, a link to
 * the entries that count, and the last removals.
 */
export function Why({ limit, resource }: Readonly<{ limit: Limit; resource: keyof Entitlements['limits'] }>) {
  const words = useWords();
  return (
    <WhyDetails
      of={resource}
      summary={sumOf(limit, words)}
      later={<CountedEntries resource={resource} used={limit.used} />}
    >
      <Steps because={limit.because}>{(one) => termOf(one, words)}</Steps>
      <ValuesOf path={`/limits/${resource}`} of={words.name(resource)} />
    </WhyDetails>
  );
}

type SummedLimit = Pick<Limit, 'because' | 'configured' | 'hard' | 'limit' | 'overridden'>;

/**
 * The calculation of the limit in a refusal, as a sentence. A person can open the sentence to see each term with its
 * event.
 */
export function LimitWhy({ limit }: Readonly<{ limit: SummedLimit }>) {
  const words = useWords();
  return (
    <details className={styles['why']}>
      <summary>{sumOf(limit, words)}</summary>
      <Steps because={limit.because}>{(one) => termOf(one, words)}</Steps>
    </details>
  );
}

/** A paragraph with a link to all earlier values of a field. It stands below the reasons for the field's value. */
export const ValuesOf = (of: ComponentProps<typeof ValuesLink>) => (
  <p>
    <ValuesLink {...of} />
  </p>
);

/** The calculation of a limit with each term and the term's event. The calculation is always visible. */
export function LimitSum({ limit }: Readonly<{ limit: Limit }>) {
  const words = useWords();
  return (
    <>
      <p>{sumOf(limit, words)}</p>
      <Steps because={limit.because}>{(one) => termOf(one, words)}</Steps>
    </>
  );
}

/** The reasons for the traffic values: the report of the month and the allowance, each with its event. */
export function TrafficWhy({ because }: Pick<Traffic, 'because'>) {
  const words = useWords();
  const { text } = words;
  if (because.length === 0) return null;
  return (
    <WhyDetails of="traffic" summary={because.map((one) => termOf(one, words)).join('; ')}>
      <Steps because={because}>{(one) => termOf(one, words)}</Steps>
      <ValuesOf path="/traffic" of={text('traffic.title')} />
    </WhyDetails>
  );
}

type SinceOf = Readonly<{
  since: Since;
  /** The moment from which the value is in force. */
  effectiveAt: string;
  path: string;
  /** The name of the field in words, for the link to all values that this field has had. */
  of: string;
}>;

/**
 * Since when a value has been in force. The person can open the text to see the event, and a link to all values that
 * this field has had.
 */
export function SinceWhy({ since, effectiveAt, path, of }: SinceOf) {
  const { text } = useWords();
  return (
    <WhyDetails
      of={path.slice(1)}
      summary={<Sentence of={text('plan.since', { day: MOMENT })} at={effectiveAt} as="day" />}
      later={<LastValueChange path={path} event={since.event} />}
    >
      <p className={styles['since']}>
        <EventDay {...since} isPrecise /> {effectiveAt < since.at && `${text('why.earlier')} `}
        <ValuesLink path={path} of={of} />
      </p>
    </WhyDetails>
  );
}

/** The calculation as text, for example `5 from Teams + 3 from add-ons = 8; hard limit 10; so 8`. */
function sumOf({ because, configured, hard, limit, overridden }: SummedLimit, words: ConsoleWords): string {
  const { text, number, plan, list } = words;
  const terms = because.filter(({ kind }) => kind !== 'hard-limit' && kind !== 'override');
  const unlimited = terms.filter(({ kind, amount }) => kind === 'plan' && typeof amount !== 'number');
  if (configured === null && hard === null && unlimited.length > 0)
    return text('why.unlimited-with', { plans: list(unlimited.map(({ what }) => plan(what))) });
  const sum = terms.map((one) => partOf(one, words)).join(' + ');
  const total = configured === null ? text('why.unlimited') : number(configured);
  if (hard === null) return text('why.sum', { sum, total, terms: terms.length });
  const override = because.find(({ kind }) => kind === 'override');
  if (overridden && override) {
    const { what, event } = override;
    const ignored = { hard: number(hard), reason: isolatedText(what), event: number(event) };
    return text('why.sum.overridden', { sum, total, terms: terms.length, ...ignored });
  }
  const so = limit === null ? text('why.unlimited') : number(limit);
  return text('why.sum.hard', { sum, total, terms: terms.length, hard: number(hard), so });
}

type StepsOf = Readonly<{ because: readonly PreviewReason[]; children: (one: PreviewReason) => ReactNode }>;

/**
 * A list of reasons, each with its event. In a preview, a reason may have the number of a command in the draft instead
 * of an event.
 */
export function Steps({ because, children }: StepsOf) {
  const { text, number } = useWords();
  return (
    <ol className={styles['steps']}>
      {because.map((one) => (
        <li key={`${one.kind} ${one.what} ${one.event} ${one.command}`}>
          <span>{children(one)}</span>{' '}
          {one.event !== undefined && one.at !== undefined && <EventDay event={one.event} at={one.at} isPrecise />}
          {one.command !== undefined && <span>{text('why.command', { line: number(one.command + 1) })}</span>}
        </li>
      ))}
    </ol>
  );
}
