import type { Since } from '@charter/client';
import { Link, useParams } from 'react-router-dom';
import { useStandingQuery } from '../../api';
import { MOMENT, Sentence } from '../../page-parts/Moment';
import { useWords } from '../../words';
import styles from './List.module.css';
import { MomentLink } from './MomentLink';

type EventOf = Readonly<Since> & Readonly<{ isPrecise?: boolean; isLater?: boolean }>;

/**
 * The event that caused a value: its number, and the day on which it was recorded. For a person who may read the
 * history, the text is a link to the event.
 * @param isPrecise whether to show the minute, too
 * @param isLater whether the page's moment is before the event; the link then leads to the present
 */
export function EventDay({ event, at, isPrecise = false, isLater = false }: EventOf) {
  const { text, number } = useWords();
  const { id = '' } = useParams();
  const { data: standing } = useStandingQuery(id);
  const words = (
    <span className={styles['event']}>
      <Sentence
        of={text('why.event', { event: number(event), moment: MOMENT })}
        at={at}
        as={isPrecise ? 'minute' : 'day'}
      />
    </span>
  );
  if (standing?.reads.includes('history') !== true) return words;
  if (isLater) return <Link to={`/org/${id}/history/${event}`}>{words}</Link>;
  return <MomentLink to={`/org/${id}/history/${event}`}>{words}</MomentLink>;
}
