import type { Position } from '@charter/event-log';

/** The error if the read model does not reach a position within the time limit. */
class PositionNotReached extends Error {
  constructor(readonly position: Position) {
    super(`The read model has not reached position ${position} yet.`);
    this.name = 'PositionNotReached';
  }
}

/** Lets requests wait until the read model reaches a position (`event-log.md` D7). */
export function positionWaiter() {
  const waiting = new Set<{ position: Position; settle: (why?: Error) => void }>();

  return {
    hasWaiting: () => waiting.size > 0,
    /**
     * Resolves when `reached` has reported this position or a later position.
     * @throws PositionNotReached after `timeout` ms
     */
    until: (position: Position, timeout: number) =>
      new Promise<void>((resolve, reject) => {
        const settle = (why?: Error) => {
          clearTimeout(timer);
          waiting.delete(waiter);
          if (why) reject(why);
          else resolve();
        };
        const waiter = { position, settle };
        const timer = setTimeout(settle, timeout, new PositionNotReached(position));
        waiting.add(waiter);
      }),
    reached: (position: Position) => {
      for (const waiter of [...waiting]) if (waiter.position <= position) waiter.settle();
    },
    /** Rejects all waiting requests when the projection ends. */
    end: () => {
      for (const { position, settle } of [...waiting]) settle(new PositionNotReached(position));
    },
  };
}
