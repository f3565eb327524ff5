/**
 * What a failure of SQLite means for an append. `busy`: somebody else holds the lock; `full`: no room, nothing was written,
 * and there may be room later; `broken`: the file or the disk, outcome unknown; `internal`: a mistake of ours.
 */
export type Failure = Readonly<{ kind: 'busy' | 'full' | 'broken' | 'internal'; why: string }>;

export const failureOf = (error: unknown): Failure => ({
  kind: kinds[codeOf(error)] ?? 'internal',
  why: messageOf(error),
});

/** SQLite's primary result code; 0 when it was not SQLite. */
export function codeOf(error: unknown): number {
  const extended = isObject(error) && 'errcode' in error ? error.errcode : 0;
  return typeof extended === 'number' ? extended & 0xff : 0;
}

/** What the system calls a failure, such as `EEXIST`; nothing when it was not the system. */
export const systemCodeOf = (error: unknown): string | undefined =>
  isObject(error) && 'syscall' in error && 'code' in error ? String(error.code) : undefined;

export const messageOf = (error: unknown): string =>
  isObject(error) && 'message' in error ? String(error.message) : String(error);

/** Not `instanceof Error`: what Node throws is of another realm than what runs in a test. */
const isObject = (error: unknown): error is object => typeof error === 'object' && error !== null;

/** Codes that have no other name here: https://sqlite.org/rescode.html */
export const sqlite = { busy: 5, noMemory: 7, readOnly: 8, io: 10, corrupt: 11, full: 13, cannotOpen: 14, notADb: 26 };

const kinds: Readonly<Record<number, Failure['kind']>> = {
  [sqlite.busy]: 'busy',
  [sqlite.noMemory]: 'full',
  [sqlite.full]: 'full',
  [sqlite.readOnly]: 'broken',
  [sqlite.io]: 'broken',
  [sqlite.corrupt]: 'broken',
  [sqlite.cannotOpen]: 'broken',
  [sqlite.notADb]: 'broken',
};
