/** Whether the process is stopping. */
export type Lifecycle = Readonly<{
  /**
   * True from the beginning of a stop. The process then reports that it is not ready, and finishes running requests.
   */
  stopping: () => boolean;
}>;
export const LIFECYCLE: unique symbol = Symbol('Lifecycle');
