import { DatabaseUnavailable } from '../unavailable';
import { isDiskFailure } from './failure';

/**
 * Whether a file still accepts writes. After a failed write or flush the disk's content is unknown, and the next flush
 * may succeed although data is lost. So Charter writes nothing more until a restart has checked the file
 * (`event-log.md` C2, `acceptance.md` R2). Earlier commits can be read.
 */
export type FileHealth = Readonly<{
  /** Why the file accepts no more writes; undefined: it accepts writes. */
  lost: () => string | undefined;
  /** @throws DatabaseUnavailable when the file accepts no more writes */
  check: () => void;
  /** Called once, when the file stops accepting writes. */
  whenLost: (listener: () => void) => void;
  /** Checks whether a failed write or checkpoint may have lost data, and stops all writes if so. */
  judge: (why: unknown) => void;
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
    judge: (why) => {
      if (lost !== undefined || !isDiskFailure(why)) return;
      lost = `The disk failed under ${file}. Nothing is written there any more until a restart has checked the file.`;
      process.emitWarning(lost);
      for (const listener of listeners) listener();
    },
  };
}
