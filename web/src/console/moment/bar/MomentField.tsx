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
  question: Question;
  onQuestion: (question: Question) => void;
  onChoose: (moment: PageMoment) => void;
}>;
/**
 * The two questions about a moment. One asks for the state that was recorded by then. The other asks for the state in
 * force then, according to the whole record of today.
 */
export type Question = 'recorded' | 'in-force';

/**
 * One field for moments, and the choice between the two questions. Before the person presses Enter, the field shows how
 * it reads the text.
 */
export function MomentField({ ref, moment, head, question, onQuestion, onChoose }: FieldOf) {
  const words = useWords();
  const { text } = words;
  const [typed, setTyped] = useState('');
  useEffect(() => setTyped(''), [moment]);
  const reading = typed === '' ? undefined : readMoment(typed, Date.now());
  const chosen = reading && momentOf(reading, question, head);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (chosen) onChoose(chosen);
  };
  return (
    <form className={styles['field']} onSubmit={submit}>
      <fieldset>
        <legend className="unseen">{text('moment.question')}</legend>
        {(['recorded', 'in-force'] as const).map((choice) => (
          <label key={choice}>
            <input type="radio" name="question" checked={question === choice} onChange={() => onQuestion(choice)} />
            {text(questions[choice])}
          </label>
        ))}
      </fieldset>
      <label className={controlStyles['search']}>
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
      <label className={controlStyles['search']}>
        {text('moment.picker')}
        <input type="datetime-local" onChange={({ target: { value } }) => setTyped(value === '' ? '' : `${value}Z`)} />
      </label>
      <button type="submit" className={controlStyles['button']} disabled={!chosen}>
        {text('moment.go')}
      </button>
      <p id="moment-reading" role="status">
        {reading && readingWords(reading, chosen !== undefined, words, question)}
      </p>
    </form>
  );
}

const questions: Readonly<Record<Question, string>> = { recorded: 'moment.recorded', 'in-force': 'moment.in-force' };

/** The moment of a text; undefined if the text is no moment, or no moment for this question. */
function momentOf(reading: MomentReading, question: Question, head: number): PageMoment | undefined {
  if (reading.kind === 'present') return {};
  if (reading.kind === 'moment') return question === 'recorded' ? { asOf: reading.at } : { valid: reading.at };
  if (question === 'in-force' || reading.kind === 'unreadable') return undefined;
  return reading.revision <= head ? { asOf: String(reading.revision) } : undefined;
}

function readingWords(
  reading: MomentReading,
  isChosen: boolean,
  { text, number, utc }: ReturnType<typeof useWords>,
  question: Question,
) {
  if (reading.kind === 'unreadable') return text('moment.reading.unreadable');
  if (!isChosen) return question === 'in-force' ? text('moment.reading.needs-date') : text('moment.reading.beyond');
  if (reading.kind === 'present') return text('moment.reading.present');
  if (reading.kind === 'moment') return text('moment.reading.moment', { moment: utc(reading.at) });
  return text('moment.reading.revision', { revision: number(reading.revision) });
}
