/** SQLite's primary result codes that mean something to us. */
const codes = { busy: 5, locked: 6, readonly: 8, corrupt: 11, cantOpen: 14, notADatabase: 26 } as const;

/** The primary code; extended ones carry it in their lowest byte. */
const codeOf = (why: unknown): number | undefined => {
  const code = typeof why === 'object' && why !== null && 'errcode' in why ? why.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
};

/** Somebody else holds the lock; nothing was done. */
export const isBusy = (why: unknown): boolean => codeOf(why) === codes.busy || codeOf(why) === codes.locked;

/** What is wrong with a file that cannot be opened, in words that follow "The file … ". */
export function reasonOf(why: unknown): string | undefined {
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
