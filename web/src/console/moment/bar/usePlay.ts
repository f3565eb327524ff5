import { useEffect, useState } from 'react';

/** The pause in milliseconds between two steps. */
const STEP_MS = 1_000;

/** Moves the page forward, one event a second, until the person stops it or the present is reached. */
export function usePlay(move: (by: number) => void, mayMove: boolean) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted && !mayMove) setWanted(false); // only the button starts the movement again
  const isPlaying = isWanted && mayMove;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => move(1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, move]);
  return { isPlaying, play: () => setWanted(!isPlaying) };
}
