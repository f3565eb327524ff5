import { Overtaken } from '../document-store';

/** Tells at intervals that work goes on, also while a step of it lasts long. What keeps it from telling passes. */
export type Heartbeat = Readonly<{
  /** @throws Overtaken when telling has shown that somebody else has taken the work over */
  check(): void;
  stop(): void;
}>;

export function startHeartbeat(beat: () => Promise<void>): Heartbeat {
  let overtaken: Overtaken | undefined;
  let beating = false;
  const once = async () => {
    if (beating) return;
    beating = true;
    try {
      await beat();
    } catch (why) {
      if (why instanceof Overtaken) overtaken = why;
    } finally {
      beating = false;
    }
  };
  const timer = setInterval(() => void once(), EVERY_MS).unref();
  return {
    check: () => {
      if (overtaken) throw overtaken;
    },
    stop: () => clearInterval(timer),
  };
}

const EVERY_MS = 500;
