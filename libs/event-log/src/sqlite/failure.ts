/**
 * The kinds of failure of SQLite. `busy`: another connection holds the lock. `full`: the disk had no room and SQLite
 * wrote nothing. A later try may succeed. `broken`: the file or its disk failed, and the outcome is unknown.
 * `internal`: a bug in Charter.
 */
export type SqliteFailure = Readonly<{ kind: 'busy' | 'full' | 'broken' | 'internal'; why: string }>;

export const failureOf = (error: unknown): SqliteFailure => ({
  kind: extendedCodeOf(error) === NO_ROOM_FOR_INDEX ? 'full' : (kinds[sqliteCodeOf(error)] ?? 'internal'),
  why: errorMessageOf(error),
});

/** SQLite's primary result code; 0 for an error that does not come from SQLite. */
export const sqliteCodeOf = (error: unknown): number => extendedCodeOf(error) & 0xff;

function extendedCodeOf(error: unknown): number {
  const extended = isObject(error) && 'errcode' in error ? error.errcode : 0;
  return typeof extended === 'number' ? extended : 0;
}

/**
 * SQLITE_IOERR_SHMSIZE: the disk had no room in which the index of the WAL could grow. SQLite can compute the content
 * of the WAL's index again, so no data is lost.
 */
const NO_ROOM_FOR_INDEX = 4874;

/** The operating system's code of an error, such as `EEXIST`; `undefined` for other errors. */
export const systemCodeOf = (error: unknown): string | undefined =>
  isObject(error) && 'syscall' in error && 'code' in error ? String(error.code) : undefined;

export const errorMessageOf = (error: unknown): string =>
  isObject(error) && 'message' in error ? String(error.message) : String(error);

/** This check does not use `instanceof Error`: in specs, Node throws errors of another realm. */
const isObject = (error: unknown): error is object => typeof error === 'object' && error !== null;

/** The result codes of https://sqlite.org/rescode.html that Charter handles. */
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
