import type { Preview } from '@charter/client';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useEventsQuery, useStandingQuery } from '../../api';
import { type TermRow, termRows } from '../../organization/plan/plan-terms';
import type { PlanTerms } from '../../organization/plan/useSoldTerms';
import cardStyles from '../../page-parts/Card.module.css';
import type { useDraftWords } from '../words/useDraftWords';

type SinceOf = Readonly<{
  id: string;
  words: ReturnType<typeof useDraftWords>;
  /** The revision of the preview that the person committed. */
  revision: number;
  /** The preview that the person committed; undefined after a reload. */
  before: Preview | undefined;
  /** The present preview; undefined until the service has answered. */
  after: Preview | undefined;
}>;

/**
 * Why the effect of the draft has changed since the preview: new events, a changed catalogue, or the time that has
 * passed. The service executed nothing.
 */
export function SincePreview({ id, words, revision, before, after }: SinceOf) {
  const { text, list } = words;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []); // the button to commit is gone
  const hasNewEvents = after !== undefined && after.revision > revision;
  const changed = before && after ? offersWithOtherTerms(before, after, words) : [];
  return (
    <section className={cardStyles['card']} aria-labelledby="since">
      <h2 id="since" ref={heading} tabIndex={-1}>
        {text('draft.not-as-shown')}
      </h2>
      <p role="alert">{text(before ? 'draft.nothing-executed' : 'draft.reloaded')}</p>
      {hasNewEvents && <NewEvents {...{ id, words }} from={revision + 1} to={after.revision} />}
      {changed.length > 0 && (
        <>
          <p>{text('draft.catalogue-changed', { offers: list(changed.map(({ offer }) => offer)) })}</p>
          <ul>
            {changed.flatMap(({ offer, terms }) =>
              terms.map(({ key, title, before: old, after: now }) => (
                <li key={`${offer} ${key}`}>
                  {offer}: {title} {text('draft.before-after', { before: old, after: now })}
                </li>
              )),
            )}
          </ul>
        </>
      )}
      {after !== undefined && !hasNewEvents && changed.length === 0 && <p>{text('draft.changed-without-event')}</p>}
    </section>
  );
}

type ChangedOffer = Readonly<{ offer: string; terms: readonly TermRow[] }>;

/** The plans and add-ons of a draft whose terms differ between the two previews, each with the terms that differ. */
function offersWithOtherTerms(before: Preview, after: Preview, words: SinceOf['words']): readonly ChangedOffer[] {
  const old = soldTerms(before, words);
  return [...soldTerms(after, words)].flatMap(([offer, terms]) => {
    const sold = old.get(offer);
    if (sold === undefined || JSON.stringify(sold) === JSON.stringify(terms)) return [];
    const rows = termRows({ sold, today: terms, offered: [] }, words);
    return [{ offer, terms: rows.filter((row) => row.before !== row.after) }];
  });
}

/** The terms of each plan and add-on that a draft would sell. */
const soldTerms = ({ events }: Preview, { planOfLine, addOn }: SinceOf['words']): ReadonlyMap<string, PlanTerms> =>
  new Map(
    events.flatMap(({ type, data }): (readonly [string, PlanTerms])[] => {
      if (type === 'PlanAssigned')
        return [[planOfLine(String(data['line']), String(data['plan'])), termsIn(data['terms'])]];
      return type === 'AddOnPurchased' ? [[addOn(String(data['addOn'])), termsIn(data['grants'])]] : [];
    }),
  );

/** The terms in an event. The grants of an add-on have fewer fields than the terms of a plan. */
const termsIn = (terms: unknown): PlanTerms => ({
  ...({ limits: {}, hardLimits: {}, soldOnlyByAddOn: [], features: [] } as unknown as PlanTerms),
  ...(terms as PlanTerms),
});

type EventsOf = Pick<SinceOf, 'id' | 'words'> & Readonly<{ from: number; to: number }>;
const EVENTS_SHOWN = 20;

function NewEvents({ id, words, from, to }: EventsOf) {
  const { text, number, sentence } = words;
  const { data: standing } = useStandingQuery(id);
  const mayRead = standing?.reads.includes('history') === true;
  const filter = { from: String(from), to: String(to), limit: String(EVENTS_SHOWN) };
  const { data } = useEventsQuery({ id, filter }, { skip: !mayRead });
  return (
    <>
      <p>{text('draft.recorded-since', { count: to - from + 1 })}</p>
      <ul>
        {data?.events.map((event) => (
          <li key={event.revision}>
            <Link to={`/org/${id}/history/${event.revision}`}>#{number(event.revision)}</Link> {sentence(event)}
          </li>
        ))}
      </ul>
      {mayRead && (
        <p>
          <Link to={`/org/${id}/compare?from=${from - 1}&to=${to}`}>{text('draft.compare')}</Link>
        </p>
      )}
    </>
  );
}
