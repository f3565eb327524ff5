import type { Preview } from '@charter/client';
import { Link } from 'react-router-dom';
import { useEventsQuery, useStandingQuery } from '../../api';
import cardStyles from '../../page-parts/Card.module.css';
import type { useDraftWords } from '../words/useDraftWords';

type SinceOf = Readonly<{
  id: string;
  words: ReturnType<typeof useDraftWords>;
  /** The preview that the person committed; undefined after a reload. */
  before: Preview | undefined;
  /** The present preview; undefined until the service has answered. */
  after: Preview | undefined;
}>;

/**
 * Why the effect has changed since the preview: events of other people, or a new catalogue. The service executed
 * nothing.
 */
export function SincePreview({ id, words, before, after }: SinceOf) {
  const { text } = words;
  const isMoved = before !== undefined && after !== undefined && after.revision > before.revision;
  return (
    <section className={cardStyles['card']} aria-labelledby="since" role="alert">
      <h2 id="since">{text('draft.not-as-shown')}</h2>
      <p>{text('draft.nothing-executed')}</p>
      {isMoved && <NewEvents {...{ id, words }} from={before.revision + 1} to={after.revision} />}
      {before !== undefined && after !== undefined && !isMoved && <p>{text('draft.catalogue-changed')}</p>}
    </section>
  );
}

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
