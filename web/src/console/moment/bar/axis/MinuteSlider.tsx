import { type KeyboardEvent, useEffect, useState } from 'react';
import { SPOKEN_AFTER_MS, useSettled } from '../../../page-parts/useSettled';
import type { PageMoment } from '../../page-moment';
import styles from './MomentAxis.module.css';
import { BINS, keyedStep } from './slider-keys';

/** The slider has come to rest if it has not moved for this time, in milliseconds. */
const REST_MS = 150;

/**
 * The minute at which the slider stands while the person moves it; undefined at rest. If the address gets another
 * moment during the move, the page shows that moment.
 * @param onChoose called with the minute as soon as the slider has come to rest
 * @param moment the moment in the address
 */
export function useMinute(moment: PageMoment, onChoose: (minute: number) => void) {
  const [thumb, setThumb] = useState<number>();
  useEffect(() => setThumb(undefined), [moment]);
  useEffect(() => {
    if (thumb === undefined) return;
    const timer = setTimeout(() => onChoose(thumb), REST_MS);
    return () => clearTimeout(timer);
  }, [thumb, onChoose]);
  return [thumb, setThumb] as const;
}

type SliderOf = Readonly<{
  label: string;
  minute: number;
  first: number;
  last: number;
  /** The minute and its event, in words. */
  shown: string;
  onMove: (minute: number) => void;
  /** Moves the page by a number of events; undefined if the arrow keys move the slider by minutes. */
  moveEvents: ((by: number) => void) | undefined;
  play: (() => void) | undefined;
}>;

/** A slider over minutes since 1970. */
export function MinuteSlider({ label, minute, first, last, shown, onMove, moveEvents, play }: SliderOf) {
  // A screen reader reads each new text of the focused slider, so this text changes only when the slider rests.
  const spoken = useSettled(shown, SPOKEN_AFTER_MS);
  const toMinute = (next: number) => onMove(Math.min(last, Math.max(first, next)));
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = keyedStep(event);
    if (step?.unit === 'bin') toMinute(minute + step.by * Math.ceil((last - first) / BINS));
    else if (step && moveEvents) moveEvents(step.by);
    else if (step) toMinute(minute + step.by);
    else if (event.key === ' ' && play) play();
    else return;
    event.preventDefault();
  };
  return (
    <input
      type="range"
      className={styles['range']}
      min={first}
      max={last}
      value={minute}
      aria-label={label}
      aria-valuetext={spoken}
      onKeyDown={press}
      onChange={({ target: { value } }) => onMove(Number(value))}
    />
  );
}
