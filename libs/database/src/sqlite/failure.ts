import { DatabaseUnavailable, isError } from '../unavailable';

/** The primary result codes of SQLite that Charter handles. */
const codes = {
  busy: 5,
  locked: 6,
  readonly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  notADatabase: 26,
} as const;
const passing: readonly number[] = [
  codes.busy,
  codes.locked,
  codes.readonly,
  codes.ioError,
  codes.full,
  codes.cantOpen,
];

/** The extended codes of failed writes, flushes and truncations: https://sqlite.org/rescode.html */
const diskFailures: readonly number[] = [778, 1034, 1290, 1546];

/** The primary code is the lowest byte of an extended code. */
const codeOf = (failure: unknown): number | undefined => {
  const code = extendedCodeOf(failure);
  return code === undefined ? undefined : code & 0xff;
};

const extendedCodeOf = (failure: unknown): number | undefined => {
  const why = failure instanceof DatabaseUnavailable ? failure.cause : failure;
  const code = typeof why === 'object' && why !== null && 'errcode' in why ? why.errcode : undefined;
  return typeof code === 'number' ? code : undefined;
};

/**
 * Whether a statement failed because another connection holds the lock. A statement that failed because of a lock has
 * written nothing.
 */
export const isBusy = (why: unknown): boolean => codeOf(why) === codes.busy || codeOf(why) === codes.locked;

/**
 * Whether the disk failed during a write, so that the disk's content is unknown. A full disk is no such failure,
 * because SQLite then wrote nothing.
 */
export const isDiskFailure = (why: unknown): boolean => diskFailures.includes(extendedCodeOf(why) ?? 0);

/** Turns a failure of the file, its disk or a statement into the error that the caller handles. */
export const translateSqliteError = (why: unknown): unknown =>
  isError(why) && passing.includes(codeOf(why) ?? 0) ? new DatabaseUnavailable(why.message, { cause: why }) : why;

/** Why a file cannot be opened: the second half of a sentence that begins with "The file … ". */
export function openFailureReason(why: unknown): string | undefined {
  switch (codeOf(why)) {
    case codes.corrupt:
    case codes.notADatabase:
      return 'is damaged, or is no SQLite database';
    case codes.readonly:
    case codes.cantOpen:
      return 'cannot be written: check its owner and rights';
    case codes.busy:
    case codes.locked:
      return 'is locked by another process';
    default:
      return undefined;
  }
}
