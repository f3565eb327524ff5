import { DatabaseUnavailable } from '../unavailable';
import { isDiskFailure } from './failure';

/**
 * Whether a file still accepts writes. After a failed write or flush, the disk's content is unknown, and the next flush
 * may report success although data is lost. Charter therefore writes nothing more until a restart has checked the file
 * (`event-log.md` C2, `acceptance.md` R2). Data that was committed earlier can still be read.
 */
export type FileHealth = Readonly<{
  /** Why the file accepts no more writes; undefined while it accepts writes. */
  lost: () => string | undefined;
  /** @throws DatabaseUnavailable if the file accepts no more writes */
  check: () => void;
  /** Calls the listener once, when the file stops accepting writes. */
  whenLost: (listener: () => void) => void;
  /** Checks whether a failed write or checkpoint may have lost data. If so, stops all writes. */
  stopWritesIfLost: (why: unknown) => void;
}>;

export function fileHealth(file: string): FileHealth {
  let lost: string | undefined;
  const listeners: (() => void)[] = [];
  return {
    lost: () => lost,
    whenLost: (listener) => void listeners.push(listener),
    check: () => {
      if (lost !== undefined) throw new DatabaseUnavailable(lost);
    },
    stopWritesIfLost: (why) => {
      if (lost !== undefined || !isDiskFailure(why)) return;
      lost = `The disk of ${file} failed. Charter writes nothing to this file until a restart has checked it.`;
      process.emitWarning(lost);
      for (const listener of listeners) listener();
    },
  };
}
