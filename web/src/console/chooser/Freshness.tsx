import cardStyles from '../page-parts/Card.module.css';
import { useWords } from '../words';
import styles from './Freshness.module.css';

/** If a list is behind the event log by more than this number of seconds, the page says how old the list is. */
const SHOWN_FROM = 1;
/** If a list is behind the event log by more than this number of seconds, the page warns that changes are missing. */
const WARNS_FROM = 30;

/** Says how far a list of organizations is behind the event log. */
export default function Freshness({ lagSeconds }: Readonly<{ lagSeconds: number }>) {
  const { text, number } = useWords();
  const seconds = number(Math.round(lagSeconds));
  const isOld = lagSeconds > WARNS_FROM;
  return (
    <p role="status" className={isOld ? styles['old'] : cardStyles['caption']}>
      {lagSeconds > SHOWN_FROM && text(isOld ? 'chooser.behind' : 'chooser.as-of', { seconds })}
    </p>
  );
}
