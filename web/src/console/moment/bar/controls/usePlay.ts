import { useEffect, useEffectEvent, useState } from 'react';

/** `even`: one event a second. `compressed`: pauses that depend on the time between two events. */
export type Pace = 'even' | 'compressed';
export const paces = ['even', 'compressed'] as const satisfies readonly Pace[];

/** The pause in milliseconds between two steps at an even pace. */
const STEP_MS = 1_000;
const MINUTE_MS = 60_000;
const [LEAST_MS, MOST_MS] = [100, 2_000];

/**
 * The pause in milliseconds for two events with this time (`gap`) between them. Each doubling of the time makes the
 * pause a tenth of a second longer, up to two seconds.
 */
export const compressedPause = (gap: number): number =>
  Math.min(MOST_MS, LEAST_MS + 100 * Math.log2(1 + Math.max(0, gap) / MINUTE_MS));

/**
 * Moves the page forward, event by event, until the person presses Pause or the present is reached.
 * @param gapAhead the milliseconds from the shown event to the next event; undefined if the page does not know the next
 * event yet
 * @param revision the revision that the page shows
 */
export function usePlay(
  move: (by: number) => void,
  mayMove: boolean,
  gapAhead: () => number | undefined,
  revision: number,
) {
  const [isWanted, setWanted] = useState(false);
  const [pace, setPace] = useState<Pace>('even');
  if (isWanted && !mayMove) setWanted(false); // only the button starts the movement again
  const isPlaying = isWanted && mayMove;
  const forward = useEffectEvent(() => move(1));
  const pause = useEffectEvent(() => {
    const gap = pace === 'even' ? undefined : gapAhead();
    return gap === undefined ? STEP_MS : compressedPause(gap);
  });
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => forward(), pause());
    return () => clearTimeout(timer);
  }, [isPlaying, pace, revision]);
  return { isPlaying, play: () => setWanted(!isPlaying), pace, setPace };
}
