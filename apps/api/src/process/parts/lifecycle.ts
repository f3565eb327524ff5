/** Whether the process is stopping. */
export type Lifecycle = Readonly<{
  /**
   * True as soon as a stop has begun. A stopping process reports that it is not ready, and finishes running requests.
   */
  stopping: () => boolean;
}>;
export const LIFECYCLE: unique symbol = Symbol('Lifecycle');
