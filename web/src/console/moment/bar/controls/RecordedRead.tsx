import { useWords } from '../../../words';
import styles from './BarControls.module.css';
import { useFirstTimes } from './useFirstTimes';

/** Says, when this browser shows a history for the first time, that the service records who reads a history. */
export default function RecordedRead() {
  const { text } = useWords();
  const isFirst = useFirstTimes('charter-told-recorded', 1);
  return isFirst && <p className={styles['about']}>{text('moment.is-recorded')}</p>;
}
