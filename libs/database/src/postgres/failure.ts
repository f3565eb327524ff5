import { DatabaseUnavailable, isError } from '../unavailable';

/** PostgreSQL's SQLSTATE, or the code of the operating system or of Node. */
export const sqlStateOf = (why: unknown): string | undefined => {
  const code = typeof why === 'object' && why !== null && 'code' in why ? why.code : undefined;
  return typeof code === 'string' ? code : undefined;
};

/** Whether the server rolled this transaction back because of a deadlock or conflict, so that a retry is safe. */
export const isSerializationFailure = (why: unknown): boolean =>
  ['40001', '40P01'].includes(sqlStateOf(why instanceof DatabaseUnavailable ? why.cause : why) ?? '');

/**
 * Translates a failure for the caller. A server's messages may hold values of rows (`detail`, `where`), and errors are
 * logged whole, so this removes these fields.
 */
export function translatePostgresError(why: unknown): unknown {
  if (!isError(why)) return why;
  const failure = why as Error & Record<string, unknown>;
  for (const words of ['detail', 'where', 'hint', 'internalQuery']) delete failure[words];
  return isUnavailable(why) ? new DatabaseUnavailable(reasonOf(why), { cause: why }) : why;
}

/** A short reason without values of rows: the code, and the message if it is not about a row. */
const reasonOf = (why: Error) => [sqlStateOf(why), why.message].filter((part) => part !== undefined).join(' ');

const isUnavailable = (why: Error): boolean => {
  const code = sqlStateOf(why);
  if (code === undefined)
    return /^(Connection terminated|timeout exceeded|Query read timeout|Client )/.test(why.message);
  return unavailable.some((known) => code.startsWith(known)) || /^E[A-Z_]+$/.test(code);
};

/** SQLSTATEs, or their classes, that report a fault of the server and not of the statement. */
const unavailable = [
  '08', // connection
  '25006', // read-only: the server has become a standby
  '25P03', // idle in a transaction for too long
  '28', // the password was changed
  '3D000', // no such database
  '40001',
  '40P01', // deadlock, still after the retries
  '53', // out of connections, memory or disk
  '55P03', // timeout while waiting for a lock
  '57', // cancelled, stopping, starting
  '58', // an error of the operating system
  'XX', // internal error, damaged data
];
