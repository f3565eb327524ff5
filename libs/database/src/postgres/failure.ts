import { DatabaseUnavailable, isError } from '../unavailable';

/** PostgreSQL's SQLSTATE, or the error code of the operating system or of Node; undefined for other errors. */
export const sqlStateOf = (why: unknown): string | undefined => {
  const code = typeof why === 'object' && why !== null && 'code' in why ? why.code : undefined;
  return typeof code === 'string' ? code : undefined;
};

/** Whether the server has rolled the transaction back because of a deadlock or conflict. A retry is then safe. */
export const isSerializationFailure = (why: unknown): boolean =>
  ['40001', '40P01'].includes(sqlStateOf(why instanceof DatabaseUnavailable ? why.cause : why) ?? '');

/**
 * Turns an error of the server or of the connection into the error that the caller handles. A server's error may
 * contain values of rows in `detail`, `where` and similar fields. Logs contain whole errors, so the function removes
 * the fields with values of rows.
 */
export function translatePostgresError(why: unknown): unknown {
  if (!isError(why)) return why;
  const failure = why as Error & Record<string, unknown>;
  for (const words of ['detail', 'where', 'hint', 'internalQuery']) delete failure[words];
  return isUnavailable(why) ? new DatabaseUnavailable(reasonOf(why), { cause: why }) : why;
}

/** A short reason without values of rows: the error's code and message. */
const reasonOf = (why: Error) => [sqlStateOf(why), why.message].filter((part) => part !== undefined).join(' ');

const isUnavailable = (why: Error): boolean => {
  const code = sqlStateOf(why);
  if (code === undefined)
    return /^(Connection terminated|timeout exceeded|Query read timeout|Client )/.test(why.message);
  return unavailable.some((known) => code.startsWith(known)) || /^E[A-Z_]+$/.test(code);
};

/** SQLSTATEs, or the first characters of SQLSTATEs, that report a fault of the server and not of the statement. */
const unavailable = [
  '08', // the connection failed
  '25006', // read-only: the server has become a standby
  '25P03', // the session was idle in a transaction for too long
  '28', // the server rejects the user or the password
  '3D000', // the database does not exist
  '40001',
  '40P01', // a deadlock, even after the retries
  '53', // no connection, memory or disk is left
  '55P03', // the wait for a lock timed out
  '57', // the statement was cancelled, or the server is stopping or starting
  '58', // the operating system reported an error
  'XX', // the server reported an internal error or damaged data
];
