/** A terminal, or its substitute in a spec. */
export type ProgressTerminal = Readonly<{ isTTY?: boolean; columns?: number; write: (text: string) => unknown }>;

/** Shows the part of the work that is done, from 0 to 1, and a text after the bar. */
export type ProgressGauge = (part: number, figures: string) => void;

/** Draws a bar on the last line of a terminal. Prints nothing if the output is not a terminal. */
export function createProgress(screen: ProgressTerminal, now: () => number = () => performance.now()) {
  let drawn = -Infinity;
  const gauge =
    (what: string): ProgressGauge =>
    (part, figures) => {
      if (!screen.isTTY || now() - drawn < EVERY_MS) return;
      drawn = now();
      screen.write(`\r${bar(what, part, figures, screen.columns || 80)}\x1b[K`);
    };
  return {
    gauge,
    begin: (what: string, total: number) => {
      const show = gauge(what);
      return (done: number) => show(total > 0 ? done / total : 1, `${done} of ${Math.max(done, total)}`);
    },
    /** Erases the bar. */
    end: () => {
      if (drawn > -Infinity) screen.write('\r\x1b[K');
      drawn = -Infinity;
    },
  };
}

/**
 * The bar with its texts, for example `events  [########        ] 50 %  500 of 1000`, never wider than the terminal.
 */
export function bar(what: string, part: number, figures: string, columns: number): string {
  const label = `${percent(part)}  ${figures}`;
  const width = Math.min(40, columns - what.length - label.length - 6);
  if (width < 4) return label.slice(0, columns - 1);
  return `${what} ${track(part, width)} ${label}`;
}

/** A bar such as `[#### ]`, with room for `width` characters between the brackets. */
export function track(part: number, width: number): string {
  const filled = Math.round(within(part) * width);
  return `[${'#'.repeat(filled)}${' '.repeat(width - filled)}]`;
}

/** Shows 100 % only when the work is done. */
export const percent = (part: number): string => `${String(Math.floor(within(part) * 100)).padStart(3)} %`;

const within = (part: number) => Math.min(1, Math.max(0, part));

/** The minimum number of milliseconds between two drawings. */
const EVERY_MS = 100;
