import { useWords } from '../../../words';
import styles from './BarControls.module.css';
import { useFirstTimes } from './useFirstTimes';

/**
 * The number of times for which the open time bar explains its questions. Afterwards, the bar explains its questions
 * only when a person presses "?".
 */
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
