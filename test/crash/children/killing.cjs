// This file is loaded into a server before anything else. The code kills the process at an exact point of its work: at
// the nth matching statement, or at the answer to a request. KILL_AT is a pattern for a statement with its parameters,
// or for `answer to ADDRESS`. KILL_NTH says at which match the process is killed: 1, by default, is the first match.
// KILL_WHEN is `before` the statement, `after` its result, or `committed` (after its commit). Every thread counts its
// own matches. The signal is SIGKILL, so the process cannot flush anything.
const { ServerResponse } = require('node:http');
const { Socket } = require('node:net');
const { DatabaseSync } = require('node:sqlite');

const pattern = new RegExp(process.env.KILL_AT, 'is');
const when = process.env.KILL_WHEN ?? 'before';
let left = Number(process.env.KILL_NTH ?? 1);
let isCommitting = false;

/** Whether to kill the process at this statement. */
const isIt = (sql, given) => {
  if (isCommitting) return /^commit/i.test(sql);
  const matches = pattern.test(`${sql} ${given.flat().map(String).join(' ')}`) && (left -= 1) === 0;
  if (matches && when === 'committed') isCommitting = true;
  return matches && when !== 'committed';
};
const die = () => process.kill(process.pid, 'SIGKILL');
/** `isInTransaction` returns whether a statement that has run still needs a `commit`; by default, it returns true. */
const around = (sql, given, work, isInTransaction = () => true) => {
  const it = isIt(sql, given);
  if (it && when === 'before') die();
  const result = work();
  if (it && when !== 'before') die();
  if (isCommitting && !isInTransaction()) die(); // SQLite has committed this single statement by itself
  return result;
};

const { end } = ServerResponse.prototype;
ServerResponse.prototype.end = function (...given) {
  return around(`answer to ${this.req.originalUrl}`, [], () => end.apply(this, given));
};

// This code finds statements to PostgreSQL in the bytes that a socket sends. It cannot replace functions of the
// PostgreSQL client, because the bundle of the command line contains its own copy of the client.
const { write } = Socket.prototype;
Socket.prototype.write = function (chunk, ...rest) {
  const isKilledHere = statementsIn(chunk).some((sql) => isIt(sql, []));
  if (isKilledHere && when === 'before') die();
  const result = write.call(this, chunk, ...rest);
  if (isKilledHere) this.once('data', die);
  return result;
};

/** The statements in PostgreSQL's messages `Query` and `Parse`. */
function statementsIn(chunk) {
  const found = [];
  if (!Buffer.isBuffer(chunk)) return found;
  for (let at = 0; at + 5 <= chunk.length && at + 1 + chunk.readUInt32BE(at + 1) <= chunk.length;) {
    const [name, end] = [String.fromCharCode(chunk[at]), at + 1 + chunk.readUInt32BE(at + 1)];
    const texts = chunk.toString('utf8', at + 5, end).split('\0');
    if (name === 'Q') found.push(texts[0]);
    if (name === 'P') found.push(texts[1]); // the statement follows the name of the prepared statement
    at = end;
  }
  return found;
}

const { exec, prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  return around(
    sql,
    [],
    () => exec.call(this, sql),
    () => this.isTransaction,
  );
};
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  for (const name of ['run', 'all', 'get', 'iterate']) {
    const run = statement[name];
    statement[name] = (...given) =>
      around(
        sql,
        given,
        () => run.apply(statement, given),
        () => this.isTransaction,
      );
  }
  return statement;
};
