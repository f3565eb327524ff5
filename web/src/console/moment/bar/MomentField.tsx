import { type Ref, type SyntheticEvent, useEffect, useState } from 'react';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';
import type { PageMoment } from '../page-moment';
import { type MomentReading, readMoment } from '../read-moment';
import styles from './TimeBar.module.css';

type FieldOf = Readonly<{
  ref: Ref<HTMLInputElement>;
  moment: PageMoment;
  head: number;
  /** The revision that the page shows. */
  revision: number;
  question: Question;
  onQuestion: (question: Question) => void;
  onChoose: (moment: PageMoment) => void;
}>;
/**
 * The question about a moment. `recorded`: the state that was recorded by then. `in-force`: the state in force then,
 * according to all events up to now. `both`: the state in force then, according to the events up to a chosen event.
 */
export type Question = 'recorded' | 'in-force' | 'both';

/**
 * One text field for a moment, and the choice between the questions about it. Before the person presses Enter, the
 * field shows which moment the text means.
 */
export function MomentField({ ref, moment, head, revision, question, onQuestion, onChoose }: FieldOf) {
  const words = useWords();
  const { text } = words;
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(''), [moment]);
  const reading = typed === '' ? undefined : readMoment(typed, Date.now());
  const chosen = reading && momentOf(reading, question, { ...moment, head, revision });
  const needsDate = question === 'in-force' || (question === 'both' && moment.valid === undefined);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (chosen) onChoose(chosen);
  };
  return (
    <form className={styles['field']} onSubmit={submit}>
      <fieldset>
        <legend className="unseen">{text('moment.question')}</legend>
        {(['recorded', 'in-force', 'both'] as const).map((choice) => (
          <label key={choice}>
            <input type="radio" name="question" checked={question === choice} onChange={() => onQuestion(choice)} />
            {text(questions[choice])}
          </label>
        ))}
      </fieldset>
      <label>
        {text('moment.field')}
        <input
          ref={ref}
          value={typed}
          autoComplete="off"
          aria-describedby="moment-reading"
          aria-invalid={reading !== undefined && chosen === undefined}
          onChange={({ target: { value } }) => setTyped(value)}
        />
      </label>
      <span>
        <input
          type="datetime-local"
          aria-label={text('moment.picker')}
          onChange={({ target: { value } }) => setTyped(value === '' ? '' : `${value}Z`)}
        />
        <span aria-hidden="true"> UTC</span>
      </span>
      <button type="submit" className={controlStyles['button']} aria-disabled={!chosen}>
        {text('moment.go')}
      </button>
      <p id="moment-reading" role="status" className={styles['reading']}>
        {reading && readingWords(reading, chosen !== undefined, words, needsDate)}
      </p>
    </form>
  );
}

const questions: Readonly<Record<Question, string>> = {
  recorded: 'moment.recorded',
  'in-force': 'moment.in-force',
  both: 'moment.both',
};

type Shown = PageMoment & Readonly<{ head: number; revision: number }>;

/**
 * The moment that a typed text means; undefined if the text is no moment, or if this question cannot use the moment.
 * With the question `both`, a date replaces the moment in force, and an event number replaces the last event that
 * counts.
 */
function momentOf(
  reading: MomentReading,
  question: Question,
  { asOf, valid, head, revision }: Shown,
): PageMoment | undefined {
  if (reading.kind === 'present') return {};
  if (reading.kind === 'unreadable') return undefined;
  if (reading.kind === 'moment') {
    if (question === 'recorded') return { asOf: reading.at };
    return question === 'in-force' ? { valid: reading.at } : { asOf: asOf ?? String(revision), valid: reading.at };
  }
  if (question === 'in-force' || reading.revision > head) return undefined;
  const recorded = { asOf: String(reading.revision) };
  if (question === 'recorded') return recorded;
  return valid === undefined ? undefined : { ...recorded, valid };
}

function readingWords(
  reading: MomentReading,
  isChosen: boolean,
  { text, number, second }: ReturnType<typeof useWords>,
  needsDate: boolean,
) {
  if (reading.kind === 'unreadable') return text('moment.reading.unreadable');
  if (!isChosen) return text(needsDate ? 'moment.reading.needs-date' : 'moment.reading.beyond');
  if (reading.kind === 'present') return text('moment.reading.present');
  if (reading.kind === 'moment') return text('moment.reading.moment', { moment: second(reading.at) });
  return text('moment.reading.revision', { revision: number(reading.revision) });
}
