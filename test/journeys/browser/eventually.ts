import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a check until it passes. If the check still fails after `withinMs`, the function throws the last error. */
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
