/** The clock of the process; nothing else reads the time of an answer. */
export type Clock = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number;
}>;
export const CLOCK: unique symbol = Symbol('Clock');
