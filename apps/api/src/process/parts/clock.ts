/** The clock of the process. Code that answers requests reads the time only from it. */
export type Clock = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number;
}>;
export const CLOCK: unique symbol = Symbol('Clock');
