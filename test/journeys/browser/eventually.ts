import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a check until it passes. When the time is up, the last result or failure counts. */
export async function eventually<Seen>(check: () => Seen | Promise<Seen>, withinMs = 8_000): Promise<Seen> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
      await pause(25);
    }
  }
}
