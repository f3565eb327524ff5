import type { Position } from '@charter/event-log';

/** The read model did not come so far in the time given. */
class PositionNotReached extends Error {
  constructor(readonly position: Position) {
    super(`The read model has not reached position ${position} yet.`);
    this.name = 'PositionNotReached';
  }
}

/** Those who wait for the read model to reach a position. */
export function positionWaiter() {
  const waiting = new Set<{ position: Position; settle: (why?: Error) => void }>();

  return {
    anyone: () => waiting.size > 0,
    /** Resolves once `reached` has named this position or a later one. @throws NotYet after `timeout` milliseconds. */
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
    /** Nobody waits any longer: nothing will come. */
    end: () => {
      for (const { position, settle } of [...waiting]) settle(new PositionNotReached(position));
    },
  };
}
