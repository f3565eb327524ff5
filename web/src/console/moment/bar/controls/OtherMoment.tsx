import { type SyntheticEvent, useState } from 'react';
import controlStyles from '../../../page-parts/Controls.module.css';
import { moveFocusAfterRemoval } from '../../../page-parts/DisappearingButton';
import { useWords } from '../../../words';
import { readMoment } from '../../read-moment';
import styles from './BarControls.module.css';

type OtherOf = Readonly<{
  head: number;
  /** Compares the page with a revision, a moment, or `now`. */
  compareWith: (side: string) => void;
}>;

/** A field for the moment with which the person wants to compare the page. */
export function OtherMoment({ head, compareWith }: OtherOf) {
  const { text } = useWords();
  const [typed, setTyped] = useState('');
  const side = typed === '' ? undefined : sideOf(typed, head);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (side !== undefined) compareWith(side);
  };
  return (
    <form ref={moveFocusAfterRemoval} className={styles['other']} onSubmit={submit}>
      <label className={controlStyles['search']}>
        {text('moment.vs.field')}
        <input
          value={typed}
          autoComplete="off"
          aria-invalid={typed !== '' && side === undefined}
          onChange={({ target: { value } }) => setTyped(value)}
        />
      </label>
      <button type="submit" className={controlStyles['button']} aria-disabled={side === undefined}>
        {text('moment.vs.go')}
      </button>
    </form>
  );
}

/** The revision, moment or `now` that a typed text means; undefined if the text is not a moment of this history. */
function sideOf(typed: string, head: number): string | undefined {
  const reading = readMoment(typed, Date.now());
  if (reading.kind === 'present') return 'now';
  if (reading.kind === 'moment') return reading.at;
  return reading.kind === 'revision' && reading.revision <= head ? String(reading.revision) : undefined;
}
