/** The periods in which this thread did not run although a timer was due. */
export type Stalls = Readonly<{
  /**
   * The milliseconds of stalls between two moments on the clock of `performance.now()`. If a moment is inside a stall,
   * only a part of this stall counts.
   */
  between: (from: number, to: number) => number;
  stop: () => void;
}>;

const EVERY_MS = 10;

/**
 * Watches how late a timer of this thread runs. Processor time of this thread does not count, so slow code of the
 * thread causes no stall. Other work on the machine causes stalls.
 */
export function watchStalls(): Stalls {
  const stalls: Readonly<{ from: number; to: number; ms: number }>[] = [];
  let last = { at: performance.now(), usedMs: usedMs() };
  const timer = setInterval(() => {
    const now = { at: performance.now(), usedMs: usedMs() };
    const ms = now.at - last.at - EVERY_MS - (now.usedMs - last.usedMs);
    if (ms > 0) stalls.push({ from: last.at, to: now.at, ms });
    last = now;
  }, EVERY_MS);
  return {
    between: (from, to) =>
      stalls.reduce((total, stall) => {
        const common = Math.min(to, stall.to) - Math.max(from, stall.from);
        return common > 0 ? total + (stall.ms * common) / (stall.to - stall.from) : total;
      }, 0),
    stop: () => clearInterval(timer),
  };
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
