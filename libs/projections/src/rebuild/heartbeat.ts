import { Overtaken } from '../document-store';

/**
 * Reports at intervals that the work continues, even during a long step. If a report fails, the work continues; only
 * `Overtaken` ends the work.
 */
export type Heartbeat = Readonly<{
  /** @throws Overtaken if a report found that another process has taken over the work */
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
    } catch (error) {
      if (error instanceof Overtaken) overtaken = error;
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
