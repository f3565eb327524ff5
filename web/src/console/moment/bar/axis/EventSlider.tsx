import type { KeyboardEvent } from 'react';
import { SPOKEN_AFTER_MS, useSettled } from '../../../page-parts/useSettled';
import { useWords } from '../../../words';
import { type Described, eventWords } from '../../event-words';
import styles from './MomentAxis.module.css';
import { BINS, keyedStep } from './slider-keys';

type SliderOf = Readonly<{
  revision: number;
  head: number;
  described: Described | undefined;
  scrub: (revision: number) => void;
  /** Moves the page by a number of events. */
  move: (by: number) => void;
  play: () => void;
  toPresent: () => void;
}>;

/** A slider over the events of the history. */
export function EventSlider({ revision, head, described, scrub, move, play, toPresent }: SliderOf) {
  const words = useWords();
  const { text, number } = words;
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = keyedStep(event);
    if (step) move(step.unit === 'bin' ? step.by * Math.ceil((head + 1) / BINS) : step.by);
    else if (event.key === ' ') play();
    else return;
    event.preventDefault();
  };
  const shown = text('moment.slider.at', {
    ...{ revision: number(revision), last: number(head) },
    event: described ? eventWords(described, words).event : '',
    moment: described ? words.second(described.at) : '',
  });
  const spoken = useSettled(shown, SPOKEN_AFTER_MS); // a screen reader reads each new text of the slider in focus
  return (
    <input
      type="range"
      className={styles['range']}
      min={0}
      max={head}
      value={revision}
      aria-label={text('moment.slider')}
      aria-valuetext={spoken}
      onKeyDown={press}
      onChange={({ target: { value } }) => (Number(value) === head ? toPresent() : scrub(Number(value)))}
    />
  );
}
