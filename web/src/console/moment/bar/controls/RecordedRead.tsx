import { useWords } from '../../../words';
import styles from './BarControls.module.css';
import { useFirstTimes } from './useFirstTimes';

/**
 * Says, when this browser shows a history for the first time, that the service records who reads a history.
 * @param isFloating whether the text floats above the page, so that it moves no content
 */
export default function RecordedRead({ isFloating }: Readonly<{ isFloating: boolean }>) {
  const { text } = useWords();
  const isFirst = useFirstTimes('charter-told-recorded', 1);
  return isFirst && <p className={styles[isFloating ? 'floating' : 'about']}>{text('moment.is-recorded')}</p>;
}
