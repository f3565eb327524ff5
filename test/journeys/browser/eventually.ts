import { setTimeout as pause } from 'node:timers/promises';

/** Tries until what it holds to be true is true; then, or when the time is up, answers or fails with the last try. */
export async function eventually<Seen>(look: () => Seen | Promise<Seen>, withinMs = 8_000): Promise<Seen> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > until) throw error;
      await pause(25);
    }
  }
}
