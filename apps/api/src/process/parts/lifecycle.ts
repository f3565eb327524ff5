/** Whether the process stops. */
export type Lifecycle = Readonly<{
  /** True from the begin of a stop: the process is not ready, but finishes running requests. */
  stopping: () => boolean;
}>;
export const LIFECYCLE: unique symbol = Symbol('Lifecycle');
