import { useEffect, useState } from 'react';
import { useTimelineQuery } from '../../api';
import { useWords } from '../../words';

type SliderOf = Readonly<{
  id: string;
  /** The moment in force that the page shows. */
  valid: string;
  onChoose: (moment: string) => void;
}>;

const MINUTE = 60_000;
/** The pause in milliseconds after which the page asks the service for the moment. */
const REST_MS = 150;

/**
 * A slider over the minutes from the founding to now, or to the last future change that is already recorded. The page
 * changes only after the slider has come to rest, because only the service can compute what was in force.
 */
export function InForceSlider({ id, valid, onChoose }: SliderOf) {
  const { text, utc } = useWords();
  const { data } = useTimelineQuery(id);
  const [thumb, setThumb] = useState<number>();
  useEffect(() => setThumb(undefined), [valid]);
  useEffect(() => {
    if (thumb === undefined) return;
    const timer = setTimeout(() => onChoose(new Date(thumb * MINUTE).toISOString()), REST_MS);
    return () => clearTimeout(timer);
  }, [thumb, onChoose]);
  if (!data) return null;
  const ends = [Date.now(), ...(data.ahead ?? []).map(({ at }) => Date.parse(at) + MINUTE)];
  const shown = thumb ?? Math.floor(Date.parse(valid) / MINUTE);
  return (
    <input
      type="range"
      min={Math.floor(Date.parse(data.first.at) / MINUTE)}
      max={Math.ceil(Math.max(...ends) / MINUTE)}
      value={shown}
      aria-label={text('moment.slider.in-force')}
      aria-valuetext={utc(new Date(shown * MINUTE).toISOString())}
      onChange={({ target: { value } }) => setThumb(Number(value))}
    />
  );
}
