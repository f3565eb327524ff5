import type { Preview } from '@charter/client';
import { Link } from 'react-router-dom';
import { useEventsQuery, useStandingQuery } from '../../api';
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
 * Why the effect has changed since the preview: events of other people, or a new catalogue. The service executed
 * nothing.
 */
export function SincePreview({ id, words, revision, before, after }: SinceOf) {
  const { text, list } = words;
  const isMoved = after !== undefined && after.revision > revision;
  const changed = before && after ? offersWithOtherTerms(before, after, words) : [];
  return (
    <section className={cardStyles['card']} aria-labelledby="since" role="alert">
      <h2 id="since">{text('draft.not-as-shown')}</h2>
      <p>{text('draft.nothing-executed')}</p>
      {isMoved && <NewEvents {...{ id, words }} from={revision + 1} to={after.revision} />}
      {changed.length > 0 && <p>{text('draft.catalogue-changed', { offers: list(changed) })}</p>}
      {after !== undefined && !isMoved && changed.length === 0 && <p>{text('draft.changed-without-event')}</p>}
    </section>
  );
}

/** The plans and add-ons of a draft whose terms differ in the events of both previews. */
function offersWithOtherTerms(before: Preview, after: Preview, words: SinceOf['words']): readonly string[] {
  const old = soldTerms(before, words);
  return [...soldTerms(after, words)]
    .filter(([name, terms]) => old.has(name) && old.get(name) !== terms)
    .map(([name]) => name);
}

const soldTerms = ({ events }: Preview, { planOfLine, addOn }: SinceOf['words']): ReadonlyMap<string, string> =>
  new Map(
    events.flatMap(({ type, data }): (readonly [string, string])[] => {
      if (type === 'PlanAssigned')
        return [[planOfLine(String(data['line']), String(data['plan'])), JSON.stringify(data['terms'])]];
      if (type === 'AddOnPurchased') return [[addOn(String(data['addOn'])), JSON.stringify(data['grants'])]];
      return [];
    }),
  );

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
