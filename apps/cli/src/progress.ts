/** A terminal, or what only looks like one in a spec. */
export type Screen = Readonly<{ isTTY?: boolean; columns?: number; write: (text: string) => unknown }>;

/** One bar at a time at the foot of a terminal; elsewhere nothing at all. */
export function progressOn(screen: Screen, now: () => number = () => performance.now()) {
  let drawn = -Infinity;
  const draw = (what: string, done: number, total: number) => {
    if (now() - drawn < EVERY_MS) return;
    drawn = now();
    screen.write(`\r${bar(what, done, total, screen.columns || 80)}\x1b[K`);
  };
  return {
    begin: (what: string, total: number) => (done: number) => {
      if (screen.isTTY) draw(what, done, total);
    },
    /** Leaves no trace of it. */
    end: () => {
      if (drawn > -Infinity) screen.write('\r\x1b[K');
      drawn = -Infinity;
    },
  };
}

/** Such as `events  [########        ] 50 %  500 of 1000`, never wider than the terminal. */
export function bar(what: string, done: number, total: number, columns: number): string {
  const part = total > 0 ? Math.min(1, done / total) : 1;
  const figures = `${String(Math.floor(part * 100)).padStart(3)} %  ${done} of ${Math.max(done, total)}`;
  const width = Math.min(40, columns - what.length - figures.length - 6);
  if (width < 4) return figures.slice(0, columns - 1);
  const filled = Math.round(part * width);
  return `${what} [${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${figures}`;
}

/** Often enough to be seen moving, too seldom to cost anything. */
const EVERY_MS = 100;
