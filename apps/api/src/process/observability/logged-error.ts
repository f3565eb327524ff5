/** An error in the log, without any text that a caller may have typed. */
type LoggedError = Readonly<{
  type: string;
  /** The stack without the message: one line for each stack frame. */
  stack?: string;
  cause?: LoggedError;
}> &
  Readonly<Partial<Record<keyof typeof words, string>>>;

/**
 * The logged fields of an error, with the pattern of each. Only Charter and the drivers of the stores define the values
 * of the logged fields.
 */
const words = {
  /** For example `EACCES`, `ERR_SQLITE_ERROR`, or PostgreSQL's `42P01`. */
  code: /^[A-Z0-9][A-Z0-9_]{2,60}$/,
  /** SQLite's own words for its code, for example `disk I/O error`. */
  errstr: /^[A-Za-z][A-Za-z /,-]{0,80}$/,
  constraint: /^[a-z_][a-z0-9_]{0,62}$/,
  table: /^[a-z_][a-z0-9_]{0,62}$/,
  column: /^[a-z_][a-z0-9_]{0,62}$/,
};

/**
 * Prints an unexpected error for the log. Leaves out the message and all other fields (`acceptance.md` T1). For
 * example, a parser's message quotes the input, and a message of PostgreSQL quotes the refused row. The code and the
 * stack show where the error began.
 */
export const loggedError = (error: unknown): LoggedError => printed(error, CAUSES_MAX);

/** Whether a value is an error, even if the error comes from another JavaScript realm, such as a worker or a spec. */
const isError = (value: unknown): value is Error => Object.prototype.toString.call(value) === '[object Error]';

function printed(error: unknown, causes: number): LoggedError {
  if (!isError(error)) return { type: typeof error };
  const { name, cause } = error;
  const stack = callsIn(error);
  return {
    type: NAME.test(name) ? name : 'Error',
    ...wordsIn(error),
    ...(stack !== '' && { stack }),
    ...(cause !== undefined && causes > 0 && { cause: printed(cause, causes - 1) }),
  };
}

/**
 * Copies an error without its message. The stack of the copy contains only stack frames, and no line of the message.
 */
export function withoutMessage(error: unknown): unknown {
  if (!isError(error)) return error;
  const { name } = error;
  return Object.assign(new Error(), { name, stack: `${name}\n${indented(callsIn(error))}` });
}
const indented = (lines: string): string => lines.replace(/^/gm, '    ');

function wordsIn(error: object): Partial<Record<keyof typeof words, string>> {
  const found = Object.entries(words).flatMap(([name, form]) => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' && form.test(value) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(found);
}

/**
 * The stack frames after the message. A message can have several lines, and such a line can look like a stack frame.
 */
function callsIn({ stack = '', message }: Error): string {
  const at = stack.indexOf(message);
  const calls = at < 0 ? stack : stack.slice(at + message.length);
  return calls
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => CALL.test(line))
    .join('\n');
}

const NAME = /^[A-Za-z][A-Za-z0-9]{0,60}$/;
/** Matches a stack frame with its position in a file, for example `at decide (/srv/charter/main.js:10:5)`. */
const CALL = /^at .{1,500}:\d+:\d+\)?$/;
const CAUSES_MAX = 3;
