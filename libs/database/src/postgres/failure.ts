import { DatabaseUnavailable, isError } from '../unavailable';

/** PostgreSQL's SQLSTATE, or the code of the operating system or of Node. */
export const sqlStateOf = (why: unknown): string | undefined => {
  const code = typeof why === 'object' && why !== null && 'code' in why ? why.code : undefined;
  return typeof code === 'string' ? code : undefined;
};

/** Two transactions stood in each other's way, and this one was undone: doing it again is right. */
export const isSerializationFailure = (why: unknown): boolean =>
  ['40001', '40P01'].includes(sqlStateOf(why instanceof DatabaseUnavailable ? why.cause : why) ?? '');

/**
 * Translates a failure for the caller. A server's messages may hold values of rows (`detail`, `where`), and errors are
 * logged whole, so these fields are removed.
 */
export function translatePostgresError(why: unknown): unknown {
  if (!isError(why)) return why;
  const said = why as Error & Record<string, unknown>;
  for (const words of ['detail', 'where', 'hint', 'internalQuery']) delete said[words];
  return isUnavailable(why) ? new DatabaseUnavailable(reasonOf(why), { cause: why }) : why;
}

/** In a few words that name no value: the code, and what it says if it is not about a row. */
const reasonOf = (why: Error) => [sqlStateOf(why), why.message].filter((part) => part !== undefined).join(' ');

const isUnavailable = (why: Error): boolean => {
  const code = sqlStateOf(why);
  if (code === undefined)
    return /^(Connection terminated|timeout exceeded|Query read timeout|Client )/.test(why.message);
  return unavailable.some((known) => code.startsWith(known)) || /^E[A-Z_]+$/.test(code);
};

/** SQLSTATEs, or the classes of them, that say nothing about what was asked, only about the server. */
const unavailable = [
  '08', // connection
  '25006', // read-only: a standby took its place
  '25P03', // idle in a transaction for too long
  '28', // the password was changed
  '3D000', // no such database
  '40001',
  '40P01', // in each other's way, again and again
  '53', // out of connections, memory or disk
  '55P03', // a lock was not given in time
  '57', // cancelled, stopping, starting
  '58', // the operating system failed it
  'XX', // internal, damaged
];
