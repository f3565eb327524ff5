import { useWords } from '../../words';
import styles from './List.module.css';

/** An event by its number and day. */
export type EventAt = Readonly<{ event: number; at: string }>;

/** The event behind a value: its number, and the day on which it was recorded. */
export function EventDay({ event, at }: EventAt) {
  const { text, number, day } = useWords();
  return (
    <time dateTime={at} title={at} className={styles['event']}>
      {text('why.event', { event: number(event), moment: day(at) })}
    </time>
  );
}
