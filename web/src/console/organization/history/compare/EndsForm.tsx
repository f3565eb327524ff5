import { type SyntheticEvent, useEffect, useState } from 'react';
import controlStyles from '../../../page-parts/Controls.module.css';
import { isRevision } from '../../../moment/page-moment';
import { readMoment } from '../../../moment/read-moment';
import type { HistoryWords } from '../wording/useHistoryWords';
import type { ComparedEnds } from './compared-ends';
import styles from './ComparePage.module.css';

type FormOf = Readonly<{
  ends: ComparedEnds | undefined;
  words: HistoryWords;
  onShow: (ends: ComparedEnds) => void;
}>;

/**
 * The fields for the two compared moments (ends), and for one moment in force. The fields accept the same texts as the
 * moment field of the time bar.
 */
export function EndsForm({ ends, words, onShow }: FormOf) {
  const { text } = words;
  const [from, to, valid] = [shownEnd(ends?.from), shownEnd(ends?.to), shownEnd(ends?.valid)];
  const [typed, setTyped] = useState({ from, to, valid });
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    setTyped({ from, to, valid });
    setRefused(false);
  }, [from, to, valid]);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const [from, to] = [endOf(typed.from), endOf(typed.to)];
    const valid = typed.valid.trim() === '' ? '' : endOf(typed.valid);
    const isReadable = from !== undefined && to !== undefined && valid !== undefined && !isRevision(valid);
    setRefused(!isReadable);
    if (isReadable) onShow({ from, to, ...(valid !== '' && { valid }) });
  };
  return (
    <form className={styles['ends']} onSubmit={submit}>
      {(['from', 'to', 'valid'] as const).map((name) => (
        <label key={name} className={controlStyles['search']}>
          {text(fieldNames[name])}
          <input
            value={typed[name]}
            autoComplete="off"
            onChange={({ target: { value } }) => setTyped({ ...typed, [name]: value })}
          />
        </label>
      ))}
      <button type="submit" className={controlStyles['button']}>
        {text('compare.go')}
      </button>
      <p role="status" className={styles['reading']}>
        {isRefused && text('moment.reading.unreadable')}
      </p>
    </form>
  );
}

const fieldNames = { from: 'compare.from', to: 'compare.to', valid: 'compare.valid' } as const;

const shownEnd = (end: string | undefined) => (end === undefined ? '' : isRevision(end) ? `#${end}` : end);

/** A revision or a moment in the form that the service accepts; undefined if the text is neither. */
function endOf(typed: string): string | undefined {
  const now = Date.now();
  const reading = readMoment(typed, now);
  if (reading.kind === 'revision') return String(reading.revision);
  if (reading.kind === 'present') return new Date(now).toISOString();
  return reading.kind === 'moment' ? reading.at : undefined;
}
