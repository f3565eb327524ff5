import { type RefObject, useLayoutEffect } from 'react';
import controlStyles from '../../page-parts/Controls.module.css';
import { useWords } from '../../words';
import { MomentAxis, type MomentAxisOf } from './axis/MomentAxis';
import { AboutQuestions } from './controls/AboutQuestions';
import { BarControls, type BarControlsOf } from './controls/BarControls';
import { OtherMoment } from './controls/OtherMoment';
import { MomentField, type Question } from './MomentField';
import styles from './TimeBar.module.css';

type OpenBarOf = MomentAxisOf &
  BarControlsOf &
  Readonly<{
    question: Question;
    ask: (question: Question) => void;
    field: RefObject<HTMLInputElement | null>;
    /** Whether the person chooses another moment for the comparison. */
    choosesOther: boolean;
    compareWith: (side: string) => void;
    close: () => void;
  }>;

/**
 * The controls of the open time bar: the field for a moment, the buttons, the slider, and the picture of the history.
 */
export function OpenBar(bar: OpenBarOf) {
  const { text } = useWords();
  const { head, revision, moment, question, choosesOther, field } = bar;
  // The field must get the focus before the next key. A timer would be too late, because a browser may run it after the
  // next key.
  useLayoutEffect(() => field.current?.focus(), [field]);
  return (
    <div className={styles['open']}>
      <button type="button" className={`${controlStyles['button']} ${styles['close']}`} onClick={bar.close}>
        {text('close')}
      </button>
      <MomentField
        {...{ ref: field, moment, head, revision, question }}
        onQuestion={bar.ask}
        onChoose={(next) => bar.show(next)}
      />
      <AboutQuestions />
      <BarControls {...bar} />
      {choosesOther && <OtherMoment head={head} compareWith={bar.compareWith} />}
      <MomentAxis {...bar} />
    </div>
  );
}
