/**
 * What a failure of SQLite means for an append. `busy`: somebody else holds the lock; `full`: no room, nothing was written,
 * and there may be room later; `broken`: the file or the disk, outcome unknown; `internal`: a mistake of ours.
 */
export type SqliteFailure = Readonly<{ kind: 'busy' | 'full' | 'broken' | 'internal'; why: string }>;

export const failureOf = (error: unknown): SqliteFailure => ({
  kind: extendedCodeOf(error) === NO_ROOM_FOR_INDEX ? 'full' : (kinds[sqliteCodeOf(error)] ?? 'internal'),
  why: errorMessageOf(error),
});

/** SQLite's primary result code; 0 when it was not SQLite. */
export const sqliteCodeOf = (error: unknown): number => extendedCodeOf(error) & 0xff;

function extendedCodeOf(error: unknown): number {
  const extended = isObject(error) && 'errcode' in error ? error.errcode : 0;
  return typeof extended === 'number' ? extended : 0;
}

/** SQLITE_IOERR_SHMSIZE: the index of the WAL, which holds nothing that cannot be made again, found no room to grow. */
const NO_ROOM_FOR_INDEX = 4874;

/** What the system calls a failure, such as `EEXIST`; nothing when it was not the system. */
export const systemCodeOf = (error: unknown): string | undefined =>
  isObject(error) && 'syscall' in error && 'code' in error ? String(error.code) : undefined;

export const errorMessageOf = (error: unknown): string =>
  isObject(error) && 'message' in error ? String(error.message) : String(error);

/** Not `instanceof Error`: what Node throws is of another realm than what runs in a test. */
const isObject = (error: unknown): error is object => typeof error === 'object' && error !== null;

/** Codes that have no other name here: https://sqlite.org/rescode.html */
export const sqliteCodes = {
  busy: 5,
  noMemory: 7,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADb: 26,
};

const kinds: Readonly<Record<number, SqliteFailure['kind']>> = {
  [sqliteCodes.busy]: 'busy',
  [sqliteCodes.noMemory]: 'full',
  [sqliteCodes.full]: 'full',
  [sqliteCodes.readOnly]: 'broken',
  [sqliteCodes.io]: 'broken',
  [sqliteCodes.corrupt]: 'broken',
  [sqliteCodes.cannotOpen]: 'broken',
  [sqliteCodes.notADb]: 'broken',
};
