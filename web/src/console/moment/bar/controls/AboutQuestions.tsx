import { useWords } from '../../../words';
import styles from './BarControls.module.css';
import { useFirstTimes } from './useFirstTimes';

/** How often the open time bar explains its questions before it explains them only after a press on "?". */
const EXPLAINED_TIMES = 3;

/** Explains the questions about a moment: the first three times without a press, later only after a press on "?". */
export function AboutQuestions() {
  const { text } = useWords();
  const isFirst = useFirstTimes('charter-explained-questions', EXPLAINED_TIMES);
  return (
    <details className={styles['about']} open={isFirst}>
      <summary>
        <span aria-hidden="true">?</span>
        <span className="unseen">{text('moment.questions')}</span>
      </summary>
      <p>{text('moment.questions.about')}</p>
    </details>
  );
}

/** Says, when this browser shows a history for the first time, that the service records who reads a history. */
export function RecordedRead() {
  const { text } = useWords();
  const isFirst = useFirstTimes('charter-told-recorded', 1);
  return isFirst && <p className={styles['about']}>{text('moment.is-recorded')}</p>;
}
