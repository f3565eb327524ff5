/** Whether the process stops. */
export type Lifecycle = Readonly<{
  /** True from the moment that a stop was asked for: not ready, though requests under way are finished. */
  stopping: () => boolean;
}>;
export const LIFECYCLE: unique symbol = Symbol('Lifecycle');
